import type { Html } from '../../../platform/http/server/html.ts';

/** A page, kept as a Markdown file in docs/ or beside it. */
export interface Entry {
  /** Its address below /docs. */
  readonly slug: string;
  /** From docs/. */
  readonly file: string;
  /** How lists call it, if not by its title. */
  readonly label: string | null;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** A page's address is its file's name. */
function page(file: string, label: string | null = null): Entry {
  const slug = file
    .replace(/^(\.\.\/)*/, '')
    .replace(/\.md$/, '')
    .toLowerCase();
  return { slug, file, label };
}

/** Every page of the site, in the order of reading. A new file in docs/ gets a line here. */
export const CONTENTS: readonly Section[] = [
  {
    title: 'Start',
    entries: [
      page('start.md'),
      page('quickstart-express.md'),
      page('quickstart-next.md'),
      page('concepts.md'),
      page('terms.md'),
      page('backtests.md'),
      page('integration.md'),
      page('going-live.md'),
      page('../README.md', 'Read me'),
      page('console.md'),
      page('team.md', 'The team'),
    ],
  },
  {
    title: 'Guides',
    entries: [
      page('sdk.md'),
      page('landing.md'),
      page('widget.md'),
      page('webhooks.md'),
      page('feed.md'),
      page('cli.md'),
      page('programs-as-code.md'),
      page('agents.md'),
      page('partners.md'),
      page('payouts.md'),
      page('payout-details.md'),
      page('risk.md'),
      page('mail.md'),
      page('stripe.md'),
      page('import.md'),
      page('exports.md'),
      page('figures.md'),
      page('security.md'),
      page('migration.md'),
    ],
  },
  {
    title: 'Recipes',
    entries: [
      page('recipes/saas-stripe.md'),
      page('recipes/double-sided-credit.md'),
      page('recipes/affiliate-payouts.md'),
      page('recipes/loyalty-points.md'),
    ],
  },
  {
    title: 'Operations',
    entries: [
      page('operations.md', 'Running it'),
      page('backup.md'),
      page('upgrades.md'),
      page('scaling.md'),
      page('sizing.md'),
      page('capacity-plan.md', '10,000 projects'),
      page('runbooks.md'),
    ],
  },
  {
    title: 'Reference',
    entries: [
      page('reference/events.md'),
      page('reference/errors.md'),
      page('reference/limits.md'),
      page('reference/settings.md'),
      page('reference/permissions.md'),
      page('glossary.md'),
      page('decisions.md'),
      page('dependencies.md'),
      page('../CHANGELOG.md'),
    ],
  },
];

/** The reference of the API stands at the head of its section; it is made from the routes. */
export const API_SLUG = 'api';

/** A heading with what stands under it, up to the next heading. */
export interface Part {
  /** Unique on its page. */
  readonly id: string;
  /** 1 for the page's title, which comes first and only once. */
  readonly depth: number;
  readonly title: string;
  readonly heading: Html;
  readonly body: Html;
  /** The body's words, for the search. */
  readonly text: string;
}

/** A page of the site, whether it was written by hand or made from the code. */
export interface DocPage {
  /** Its address below /docs. */
  readonly slug: string;
  /** From docs/. */
  readonly file: string;
  readonly title: string;
  /** How lists of pages call it. */
  readonly label: string;
  /** What it is about, in a sentence. */
  readonly lead: string;
  readonly parts: readonly Part[];
}

/** The index of the pages for programs. */
export const LLMS_ADDRESS = '/llms.txt';

export const addressOf = (slug: string): string => `/docs/${slug}`;
