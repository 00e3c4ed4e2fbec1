import { type Html, html } from '../../../platform/http/server/html.ts';

/** Ids of the page's parts. Operations go by their own id, so that a link to one is easy to guess. */
export const schemaAnchor = (name: string): string => `schema-${name}`;
export const tagAnchor = (tag: string): string =>
  `tag-${tag.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}`;

export function linkTo(anchor: string, text: string | Html): Html {
  return html`<a href="#${anchor}">${text}</a>`;
}
