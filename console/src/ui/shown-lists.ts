/** A list as it was shown last: where, and the ids of its rows in their order. */
interface ShownList {
  readonly href: string;
  readonly ids: readonly string[];
}

/** By the prefix of the ids: `rwd` for rewards. */
const lists = new Map<string, ShownList>();

const prefixOf = (id: string) => id.split('_', 1)[0] ?? '';

/** So that the page of a row leads back to the list, and on to its neighbours. */
export function rememberList(href: string, ids: readonly string[]): void {
  const [first] = ids;
  if (first !== undefined) lists.set(prefixOf(first), { href, ids });
}

export interface Neighbours {
  /** Where the list was, with its filters; null if it was not shown. */
  readonly href: string | null;
  readonly previous: string | null;
  readonly next: string | null;
}

/** What is before and after a thing in the list that was shown last. */
export function neighboursOf(id: string): Neighbours {
  const list = lists.get(prefixOf(id));
  const at = list?.ids.indexOf(id) ?? -1;
  if (!list || at < 0) return { href: null, previous: null, next: null };
  return { href: list.href, previous: list.ids[at - 1] ?? null, next: list.ids[at + 1] ?? null };
}
