import Type, { type Static } from 'typebox';

/** The most rows that the totals of a list look at: their cost does not grow with the list. */
export const COUNTED_MAX = 10_000;

const count = Type.Integer({
  minimum: 0,
  description: `The number of rows that match. Rows beyond the first ${COUNTED_MAX.toLocaleString('en')} that an index finds are not counted.`,
});
const isMore = Type.Boolean({
  description: 'Whether there are rows that were not counted. If not, `count` is exact.',
});

export const ListCount = Type.Object({ count, isMore }, { title: 'ListCount' });
export type ListCount = Static<typeof ListCount>;

/** How the totals of a list are bounded, for descriptions of routes. */
export const TOTALS_TEXT = `Looks at no more than ${COUNTED_MAX.toLocaleString('en')} rows: \`isMore\` says whether there are others.`;

export const countExample = { count: 12, isMore: false };

/** What a statement found that looks at one row more than it may count. */
export interface Looked {
  readonly looked: number;
  readonly count: number;
}

/** Exact if all rows were looked at. */
export function toListCount({ looked, count }: Looked): ListCount {
  return { count: Math.min(count, COUNTED_MAX), isMore: looked > COUNTED_MAX };
}

/** A sum per currency, as a statement returns it. */
export interface LookedSum extends Looked {
  readonly currency: string | null;
  readonly currencyExponent: number | null;
}

/** The count over all currencies, and the groups that matched; null if not every row was looked at. */
export function toTotals<T extends LookedSum>(
  groups: readonly T[],
): ListCount & {
  readonly groups:
    | readonly (T & { readonly currency: string; readonly currencyExponent: number })[]
    | null;
} {
  const add = (pick: (group: T) => number) => groups.reduce((sum, one) => sum + pick(one), 0);
  const counted = toListCount({ looked: add((one) => one.looked), count: add((one) => one.count) });
  const isMoney = (
    group: T,
  ): group is T & { readonly currency: string; readonly currencyExponent: number } =>
    group.currency !== null && group.currencyExponent !== null && group.count > 0;
  return {
    ...counted,
    groups: counted.isMore
      ? null
      : groups.filter(isMoney).toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}
