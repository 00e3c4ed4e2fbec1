import { DRAFTS } from '../app/drafts.ts';

/** A list as it was shown last: where, and the ids of its rows in their order. */
interface ShownList {
  readonly href: string;
  readonly ids: readonly string[];
}

/** The rows that are kept of a list; nobody steps through more of them one by one. */
const KEPT_MAX = 2_000;

const prefixOf = (id: string) => id.split('_', 1)[0] ?? '';

/** By the prefix of the ids: `rwd` for rewards. */
const placeOf = (id: string) => `${DRAFTS}list-${prefixOf(id)}`;

/** So that the page of a row leads back to the list, and on to its neighbours, also after a reload. */
export function rememberList(href: string, ids: readonly string[]): void {
  const [first] = ids;
  if (first === undefined) return;
  const list: ShownList = { href, ids: ids.slice(0, KEPT_MAX) };
  sessionStorage.setItem(placeOf(first), JSON.stringify(list));
}

export interface Neighbours {
  /** Where the list was, with its filters; null if it was not shown. */
  readonly href: string | null;
  readonly previous: string | null;
  readonly next: string | null;
}

/** What is before and after a thing in the list that was shown last. */
export function neighboursOf(id: string): Neighbours {
  const kept = sessionStorage.getItem(placeOf(id));
  const list: ShownList | null = kept === null ? null : JSON.parse(kept);
  const at = list?.ids.indexOf(id) ?? -1;
  if (!list || at < 0) return { href: null, previous: null, next: null };
  return { href: list.href, previous: list.ids[at - 1] ?? null, next: list.ids[at + 1] ?? null };
}
