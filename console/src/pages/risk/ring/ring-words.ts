import type { Referred, Shared, SharedKind } from './group-links.ts';

export const SHARED: Readonly<
  Record<SharedKind, { readonly label: string; readonly mark: string; readonly says: string }>
> = {
  network: { label: 'Same network', mark: 'N', says: 'were seen in the same network' },
  payout: { label: 'Same payout account', mark: 'P', says: 'are paid to the same account' },
  card: { label: 'Same card', mark: 'C', says: 'paid with the same card' },
  email: { label: 'Similar address', mark: 'E', says: 'have e-mail addresses that are alike' },
};

export interface RingSentence {
  /** Those before the words. */
  readonly who: readonly string[];
  readonly says: string;
  /** Those after the words. */
  readonly whom: readonly string[];
}

/** The drawing as sentences: who referred whom, one sentence a referrer, then what people share. */
export function describeRing(
  referred: readonly Referred[],
  shared: readonly Shared[],
): RingSentence[] {
  const referrers = [...new Set(referred.map(({ from }) => from))];
  return [
    ...referrers.map((from) => ({
      who: [from],
      says: 'referred',
      whom: referred.filter((one) => one.from === from).map(({ to }) => to),
    })),
    ...shared.map(({ kind, ids }) => ({ who: ids, says: SHARED[kind].says, whom: [] })),
  ];
}
