import type { RiskSignal } from '../../src/domain/programs/policies/risk-policy.ts';
import { INTENTS, type Intent, type World } from './calls.ts';

export interface Row {
  readonly intent: Intent;
  /** Null for all of the intent. */
  readonly kind: string | null;
  readonly referrals: number;
  readonly reviewed: number;
  readonly groups: number;
  /** Groups of which at least one referral is reviewed. */
  readonly noticed: number;
  /** What fired in those that were reviewed, the most frequent first. */
  readonly signals: readonly (readonly [RiskSignal, number])[];
}

/** How many referrals of each kind are in `reviews`: by referee, the signals that fired. */
export function tally(
  { labels }: World,
  reviews: ReadonlyMap<string, readonly RiskSignal[]>,
): Row[] {
  const rowOf = (intent: Intent, kind: string | null): Row => {
    const people = [...labels].filter(
      ([, label]) => label.intent === intent && (kind === null || label.kind === kind),
    );
    const reviewed = people.flatMap(([id]) => {
      const signals = reviews.get(id);
      return signals ? [signals] : [];
    });
    const counts = new Map<RiskSignal, number>();
    for (const signal of reviewed.flat()) counts.set(signal, (counts.get(signal) ?? 0) + 1);
    const groupsOf = (ids: typeof people) =>
      new Set(ids.map(([, one]) => `${one.kind} ${one.group}`));
    const noticed = groupsOf(people.filter(([id]) => reviews.has(id)));
    const signals = [...counts].toSorted((one, other) => other[1] - one[1]);
    return {
      intent,
      kind,
      referrals: people.length,
      reviewed: reviewed.length,
      groups: groupsOf(people).size,
      noticed: noticed.size,
      signals,
    };
  };
  return INTENTS.flatMap((intent) => {
    const kinds = new Set(
      [...labels.values()].filter((one) => one.intent === intent).map((one) => one.kind),
    );
    return [...[...kinds].map((kind) => rowOf(intent, kind)), rowOf(intent, null)];
  });
}
