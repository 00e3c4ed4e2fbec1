import { type ApiDocument, listOperations } from '../api/api-document.ts';
import { API_SLUG } from '../pages/contents.ts';
import { addressOf, type DocPage, type Part } from '../pages/doc-page.ts';

/** What the search knows of a place. Short names: it is sent as it is. */
export interface Findable {
  /** Address. */
  readonly u: string;
  /** Title. */
  readonly t: string;
  /** Where that is: section and page, or the call. */
  readonly w: string;
  /** Words. */
  readonly x: string;
}

/** Every heading of every page, and every operation. */
export function indexSite(
  sections: readonly { readonly title: string; readonly pages: readonly DocPage[] }[],
  document: ApiDocument,
): Findable[] {
  return [
    ...sections.flatMap(({ title, pages }) =>
      pages.flatMap((page) => page.parts.map((part) => toFindable(part, page, title))),
    ),
    ...listOperations(document).map(({ operationId, method, path, summary, ...operation }) => ({
      u: `${addressOf(API_SLUG)}#${operationId}`,
      t: summary,
      w: `${method} ${path}`,
      x: flatten(
        [operation.description?.replaceAll('`', '') ?? '', ...operation['x-permissions']].join(' '),
      ),
    })),
  ];
}

function toFindable({ id, depth, title, text }: Part, page: DocPage, section: string): Findable {
  const address = addressOf(page.slug);
  return {
    u: depth === 1 ? address : `${address}#${id}`,
    t: title,
    w: depth === 1 ? section : `${section} › ${page.label}`,
    x: flatten(text),
  };
}

const flatten = (text: string): string => text.replace(/\s+/g, ' ').trim();
