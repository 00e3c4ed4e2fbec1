import type { Html } from '../../../platform/http/server/html.ts';

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
  readonly title: string;
  /** How lists of pages call it. */
  readonly label: string;
  /** What it is about, in a sentence. */
  readonly lead: string;
  readonly parts: readonly Part[];
}

export const addressOf = (slug: string): string => `/docs/${slug}`;
