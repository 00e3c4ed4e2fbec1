// What refunds, disputes and their ends change.

import type { Fact } from './facts.ts';
import { type Happening, happeningOf, type Judge } from './judge.ts';
import { letGo } from './outcomes.ts';
import { type Adjustment, type Bought, isAllowed, paidFor } from './purchases.ts';
import { settle, statusOf } from './rewards.ts';
import type { State } from './state.ts';

type AdjustmentFact = Fact & { readonly kind: 'adjustment' };

const DAY_MS = 86_400_000;

export class Adjusting {
  readonly #state: State;
  readonly #judge: Judge;
  /** What was reported before its purchase. */
  readonly #early: AdjustmentFact[] = [];

  constructor(state: State, judge: Judge) {
    this.#state = state;
    this.#judge = judge;
  }

  report(fact: AdjustmentFact): void {
    if (fact.isEarly) this.#early.push(fact);
    else this.#adjustNow(fact);
  }

  #adjustNow({ purchase: key, adjustment }: AdjustmentFact): void {
    const { purchases, duplicates } = this.#state;
    // "Adjustments naming the duplicate apply to the first purchase."
    const purchase = purchases.get(key) ?? duplicates.get(key);
    if (!purchase) throw new Error(`${key} was adjusted, but is not there.`);
    if (!isAllowed(purchase, adjustment))
      throw new Error(`${adjustment.key} of ${key} was accepted, and must not be.`);
    this.#adjust(purchase, adjustment);
  }

  /** "Kept for 24 h and applied when it arrives"; what is not allowed by then is dropped. */
  adjustEarly(
    { key: arrived, receivedAt }: Pick<Bought, 'key' | 'receivedAt'>,
    purchase: Bought,
  ): void {
    for (const { purchase: key, adjustment, reportedAt } of this.#early) {
      if (key !== arrived) continue;
      const isKept = Date.parse(receivedAt) < Date.parse(reportedAt) + DAY_MS;
      if (isKept && isAllowed(purchase, adjustment)) this.#adjust(purchase, adjustment);
    }
  }

  #adjust(purchase: Bought, adjustment: Adjustment): void {
    const before = paidFor(purchase);
    purchase.adjustments.push(adjustment);
    const after = paidFor(purchase);
    this.#loseMilestones(purchase);
    for (const one of this.#state.rewards.values()) {
      if (one.purchase !== purchase) continue;
      settle(one);
      letGo(this.#state, one);
    }
    if (adjustment.kind !== 'restoration') return;
    const count = (left: bigint) => (left > 0n ? 1n : 0n);
    const added = {
      referrals: 0n,
      purchases: count(after) - count(before),
      revenue: purchase.currency === 'USD' ? after - before : 0n,
    };
    this.#judgeAgain(purchase, added);
  }

  /** "If the measure falls below while the Reward is still pending, it is voided." */
  #loseMilestones(purchase: Bought): void {
    const bounds = boundsOf(purchase);
    for (const one of this.#state.rewards.values()) {
      const { program, beneficiary, at, terms } = one;
      const isTheirs = bounds.some(
        (bound) => program === bound.program && beneficiary === bound[one.role],
      );
      if (at === null || !terms.milestone || !isTheirs || statusOf(one) !== 'pending') continue;
      const { measure } = terms.milestone;
      const asked = { measure, program, role: one.role, beneficiary };
      if (this.#state.measureNow(asked) < at) one.isLost = true;
    }
  }

  #judgeAgain(purchase: Bought, added: Happening['added']): void {
    const verdicts = this.#state.verdicts.get(purchase);
    if (!verdicts) return;
    const again = [...verdicts].filter(([, verdict]) => ['refunded', 'measured'].includes(verdict));
    const only = new Set(again.map(([rule]) => rule));
    for (const bound of boundsOf(purchase))
      for (const [rule, verdict] of this.#judge.judge(bound, happeningOf(purchase, added), only)) {
        if (verdicts.get(rule) === 'refunded') verdicts.set(rule, verdict);
      }
  }
}

const boundsOf = ({ credit, loyalty }: Bought) => (credit ? [credit, ...loyalty] : loyalty);
