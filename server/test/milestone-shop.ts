import type { BookedRule, TermsVersion } from '../src/domain/programs/program-book.ts';
import type { RewardRow } from '../src/domain/rewards/reward.ts';
import { MemoryTracking } from './memory-tracking.ts';
import { aProgram, aRule } from './program-book.ts';

export type Rule = readonly [id: string, terms: TermsVersion, changes?: Partial<BookedRule>];

/** Ada refers in a Program with these rules. */
export function openMilestoneShop(now: string, rules: readonly Rule[]): MemoryTracking {
  const program = aProgram({
    daysFrom: '2026-10-01',
    rules: rules.map(([id, terms, changes]) =>
      aRule([{ ...terms, id: `terms of ${id}`, ruleId: id }], { id, ...changes }),
    ),
  });
  return new MemoryTracking(now, [program], [{ name: 'ada', programId: 'prg' }]);
}

export const rewardsOf = (shop: MemoryTracking): RewardRow[] => [
  ...shop.made.rewards.added.values(),
];

export const review = (shop: MemoryTracking, name: string) =>
  shop.openReview(name, shop.signupOf(name), {});

interface Adjusting {
  readonly do: 'refund' | 'dispute' | 'lose' | 'undo';
  readonly amountMinor?: string;
  /** What is undone. */
  readonly undone?: 'refund' | 'dispute';
}

/** Adjusts an order; whatever its purchase refuses does not happen. `index` is of the step. */
export function adjustOrder(
  shop: MemoryTracking,
  order: string,
  index: number,
  { do: what, amountMinor = '1000', undone = 'refund' }: Adjusting,
): void {
  try {
    if (what === 'refund') shop.refund(`refund of ${order}`, order, amountMinor);
    else if (what === 'dispute') {
      shop.adjust(`dispute of ${order}`, order, { kind: 'dispute', amountMinor });
    } else if (what === 'lose') {
      shop.adjust(`loss ${index}`, order, { kind: 'dispute_lost', closes: `dispute of ${order}` });
    } else {
      const restores = `${undone} of ${order}`;
      shop.adjust(`undo ${index}`, order, { kind: 'restoration', amountMinor, restores });
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
