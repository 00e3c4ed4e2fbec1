/** A reward or transfer: what the service believes was delivered, and what its provider reports. */
export interface Believed {
  readonly method: string;
  readonly subject: 'reward' | 'payout';
  readonly id: string;
  /** Null if it is not money: the amounts are then 1 if it exists and 0 if not. */
  readonly currency: string | null;
  readonly believed: bigint;
  /** In the same currency; null if the provider could not report it. */
  readonly reported: bigint | null;
}

export const VERDICTS = ['even', 'differs', 'unanswered'] as const;
type Verdict = (typeof VERDICTS)[number];

export interface Comparison extends Believed {
  /** Reported minus believed; null if the provider could not report it. */
  readonly drift: bigint | null;
  readonly verdict: Verdict;
}

export function compare(one: Believed): Comparison {
  if (one.reported === null) return { ...one, drift: null, verdict: 'unanswered' };
  const drift = one.reported - one.believed;
  return { ...one, drift, verdict: drift === 0n ? 'even' : 'differs' };
}

export interface Total {
  readonly method: string;
  readonly currency: string | null;
  readonly compared: number;
  readonly differing: number;
  readonly unanswered: number;
  /** Of answered items only, so that all three add up. */
  readonly believed: bigint;
  readonly reported: bigint;
  readonly drift: bigint;
}

/** By method and currency, in order of first appearance. */
export function totalsOf(comparisons: readonly Comparison[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { method, currency, believed, reported, drift, verdict } of comparisons) {
    const key = `${method} ${currency}`;
    const before = totals.get(key) ?? {
      method,
      currency,
      compared: 0,
      differing: 0,
      unanswered: 0,
      believed: 0n,
      reported: 0n,
      drift: 0n,
    };
    const isAnswered = reported !== null;
    totals.set(key, {
      ...before,
      compared: before.compared + 1,
      differing: before.differing + (verdict === 'differs' ? 1 : 0),
      unanswered: before.unanswered + (isAnswered ? 0 : 1),
      believed: before.believed + (isAnswered ? believed : 0n),
      reported: before.reported + (reported ?? 0n),
      drift: before.drift + (drift ?? 0n),
    });
  }
  return [...totals.values()];
}
