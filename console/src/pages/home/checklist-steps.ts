import type { Row } from '../../api/client.ts';
import { callWithKey, makeSnippets, type SnippetFacts } from '../developers/snippets.ts';

export type StepName = Row<'/v1/first-steps'>['step'];

interface StepWords {
  readonly label: string;
  /** What it is for, and when it counts as done. */
  readonly help: string;
  /** Where it is done: a page below the project. */
  readonly link: { readonly label: string; readonly to: string; readonly tab?: string };
  /** The code that it needs, by its key. */
  readonly snippets?: readonly string[];
}

export const STEPS: Readonly<Record<StepName, StepWords>> = {
  program: {
    label: 'Create the first program',
    help: 'A program says what people earn for referring others, and where their links lead.',
    link: { label: 'Set up a program', to: 'programs/new' },
  },
  api_key: {
    label: 'Use an API key',
    help: 'Your backend sends a key with every call. Create one, keep it as GOODWORD_KEY where your backend runs, and make a first call. That call ticks this step.',
    link: { label: 'Create an API key', to: 'developers', tab: 'keys' },
    snippets: ['first_call'],
  },
  source: {
    label: 'Register your product as a source',
    help: 'Each event names the source that it comes from, so that a repeat counts once. Most products have one.',
    link: { label: 'Register a source', to: 'developers', tab: 'sources' },
  },
  landing_script: {
    label: 'Put the landing script on your page',
    help: 'It belongs on the page that links lead to, and remembers whose link a visitor followed. The origin of the page must be one of the allowed origins. The first visitor who comes by a link ticks this step.',
    link: { label: 'Allow the page’s origin', to: 'developers', tab: 'origins' },
    snippets: ['landing'],
  },
  first_click: {
    label: 'Follow a link',
    help: 'Open a program, make a link on its tab “Overview” and follow it. A private window shows what a visitor sees. It ticks a few seconds after the link was followed.',
    link: { label: 'Open the programs', to: 'programs' },
  },
  first_event: {
    label: 'Send the first event',
    help: 'Your backend reports each signup and purchase.',
    link: { label: 'See the events', to: 'events' },
    snippets: ['signup', 'purchase'],
  },
  first_signup: {
    label: 'See the first signup',
    help: 'Follow your own link in a private window and sign up in your product as somebody else.',
    link: { label: 'See the referrals', to: 'referrals' },
  },
  delivery: {
    label: 'Let a reward arrive',
    help: 'A webhook tells your product about each reward, or the service pays out cash. The first webhook delivered, payout paid or reward granted ticks this step.',
    link: { label: 'Add a webhook endpoint', to: 'webhooks' },
    snippets: ['webhook'],
  },
  widget: {
    label: 'Show the widget',
    help: 'In the widget, your customers find their link and what they earned. Your backend signs a token with a widget secret. The first customer who opens it ticks this step.',
    link: { label: 'Create a widget secret', to: 'developers', tab: 'widget-secrets' },
    snippets: ['widget', 'token'],
  },
};

export interface StepCode {
  /** The name of the code: "the landing script". */
  readonly label: string;
  readonly code: string;
}

/** The code to copy for a step, with the names of the project filled in. */
export function codeOf(step: StepName, facts: SnippetFacts): StepCode[] {
  const all = new Map(
    makeSnippets(facts).map(({ key, title, code }) => [
      key,
      { label: title.replace(/^\d+\. /, '').toLowerCase(), code },
    ]),
  );
  all.set('first_call', { label: 'a first call', code: callWithKey(facts, '/v1/programs') });
  return (STEPS[step].snippets ?? []).flatMap((key) => all.get(key) ?? []);
}
