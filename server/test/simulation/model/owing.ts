// The most that people should ever have had from payouts.

import type { Fact } from './facts.ts';
import { owedFor } from './outcomes.ts';
import type { Made } from './rewards.ts';
import type { State } from './state.ts';

export class Owing {
  readonly #state: State;
  /** The most that was ever owed for a reward. */
  readonly #byReward = new Map<Made, bigint>();
  /** By person. */
  readonly most = new Map<string, bigint>();

  constructor(state: State) {
    this.#state = state;
  }

  /** Looks at what everybody is owed now, before what comes later. */
  note(later: readonly Fact[]): void {
    const owed = new Map<string, bigint>();
    for (const one of this.#state.rewards.values()) {
      if (!this.#state.program(one.program).paysCash || one.terms.benefitKind !== 'cash') continue;
      owed.set(one.beneficiary, (owed.get(one.beneficiary) ?? 0n) + this.#mayHave(one, later));
    }
    for (const [person, minor] of owed) this.most.set(person, max(minor, this.most.get(person)));
  }

  /**
   * An approved payout pays what was owed when it was approved, whatever is voided or refunded since. Until it has
   * arrived, nobody owes that back.
   */
  #mayHave(reward: Made, later: readonly Fact[]): bigint {
    const owed = owedFor(reward);
    const most = max(owed, this.#byReward.get(reward));
    this.#byReward.set(reward, most);
    const line = findNextLine(reward, later);
    if (line === null) return owed;
    const onItsWay = reward.paidMinor + line;
    return max(owed, min(onItsWay, most));
  }
}

/** What the next payout pays for it. */
function findNextLine({ key }: Made, later: readonly Fact[]): bigint | null {
  for (const fact of later) {
    const line = fact.kind === 'paid' ? fact.lines.find(({ reward }) => reward === key) : undefined;
    if (line) return line.amountMinor;
  }
  return null;
}

const max = (one: bigint, other: bigint | undefined): bigint =>
  other !== undefined && other > one ? other : one;

const min = (one: bigint, other: bigint): bigint => (other < one ? other : one);
