import type { FirstUse } from '../../../accounts/workspaces/usage/usage-log.ts';
import type { FirstFacts } from './first-steps-queries.ts';

/** In the order in which somebody new takes them. */
export const FIRST_STEPS = [
  'program',
  'api_key',
  'source',
  'landing_script',
  'first_click',
  'first_event',
  'first_signup',
  'delivery',
  'widget',
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/**
 * Which steps are done: what was made counts where making it is the step, otherwise what was used. A landing may come
 * by a code alone, so only a click says that a link was followed.
 */
export function decideFirstSteps(
  facts: FirstFacts,
  uses: ReadonlySet<FirstUse>,
): { step: FirstStep; isDone: boolean }[] {
  const done: Record<FirstStep, boolean> = {
    program: facts.hasProgram,
    api_key: uses.has('api_key'),
    source: facts.hasSource,
    landing_script: uses.has('landing_script'),
    first_click: facts.hasClick,
    first_event: facts.hasEvent,
    first_signup: facts.hasSignup,
    delivery: uses.has('webhook') || facts.hasPayout || facts.hasGrant,
    widget: uses.has('widget'),
  };
  return FIRST_STEPS.map((step) => ({ step, isDone: done[step] }));
}
