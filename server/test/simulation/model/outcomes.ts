// What people, payouts and reviews make of rewards.

import type { Fact } from './facts.ts';
import { type Made, stands, statusOf } from './rewards.ts';
import type { State } from './state.ts';

type OutcomeFact = Fact & {
  readonly kind: 'review' | 'paid' | 'returned' | 'void' | 'grant' | 'revoke';
};

export class Outcomes {
  readonly #state: State;
  /** Payouts whose money has not come back. */
  readonly #paid = new Set<string>();

  constructor(state: State) {
    this.#state = state;
  }

  accept(fact: OutcomeFact): void {
    switch (fact.kind) {
      case 'review':
        this.#review(fact);
        break;
      case 'paid':
      case 'returned':
        this.#pay(fact);
        break;
      default: {
        const reward = this.#state.rewards.get(fact.reward);
        if (!reward) throw new Error(`${fact.kind} of ${fact.reward}, which nobody should have.`);
        if (fact.kind === 'void') reward.isVoided = true;
        if (fact.kind === 'grant') reward.isGranted = true;
        if (fact.kind === 'revoke') reward.isRevoked = true;
      }
    }
  }

  /** "Reject voids what is not settled, and the Referral earns nothing from then on." */
  #review({ referee, status }: Fact & { kind: 'review' }): void {
    const bound = this.#state.referrals.get(referee);
    if (!bound) throw new Error(`${referee} was referred by nobody, and that is reviewed.`);
    bound.review = status;
    if (status !== 'rejected') return;
    for (const one of this.#state.rewards.values())
      if (one.referee === referee && one.program === bound.program && !one.isGranted)
        one.isVoided = true;
  }

  /** "By paid = Σ settled lines: paid ≠ 0 → fulfilled; paid = 0 → owed again, or cancelled." */
  #pay({ kind, payout, lines }: Fact & { kind: 'paid' | 'returned' }): void {
    const isPaid = kind === 'paid';
    if (isPaid && this.#paid.has(payout)) throw new Error(`${payout} was paid twice.`);
    // One that came back before it was paid changes nothing.
    if (!isPaid && !this.#paid.has(payout)) return;
    if (isPaid) this.#paid.add(payout);
    else this.#paid.delete(payout);
    for (const { reward: key, amountMinor } of lines) {
      const reward = this.#state.rewards.get(key);
      if (!reward) throw new Error(`${key} was paid, and nobody should have it.`);
      reward.paidMinor += isPaid ? amountMinor : -amountMinor;
      if (isPaid && reward.paidMinor > 0n) reward.isGranted = true;
      if (!isPaid && reward.paidMinor === 0n) reward.isGranted = false;
      letGo(this.#state, reward);
    }
  }
}

/** Nothing becomes due to somebody who was erased. */
export function letGo({ erased }: State, reward: Made): void {
  if (statusOf(reward) === 'pending' && erased.has(reward.beneficiary)) reward.isVoided = true;
}

export const owedFor = (one: Made): bigint => (stands(one) ? (one.netMinor ?? 0n) : 0n);
