// What people earn for what they do themselves.

import type { EventType } from './facts.ts';
import type { Happening, Judge } from './judge.ts';
import type { Bound } from './measures.ts';
import type { Bought } from './purchases.ts';
import { type State, statusAt } from './state.ts';

export class Loyalty {
  readonly #state: State;
  readonly #judge: Judge;

  constructor(state: State, judge: Judge) {
    this.#state = state;
    this.#judge = judge;
  }

  /** "Loyalty rules run at receipt", whatever the purchase waits for. */
  buy(purchase: Bought): void {
    const { person, occurredAt } = purchase;
    for (const bound of this.#memberships(person, occurredAt, 'purchase')) {
      purchase.loyalty.push(bound);
      this.#judge.judgePurchase(purchase, bound);
    }
  }

  do(event: Happening): void {
    for (const bound of this.#memberships(event.human, event.occurredAt, event.type))
      this.#judge.judge(bound, event);
  }

  /** In programs that are active, not paused. */
  #memberships(person: string, at: string, type: EventType): Bound[] {
    return this.#state.loyaltyPrograms
      .filter(
        (program) =>
          statusAt(program, at) === 'active' &&
          program.rules.some(({ eventType }) => eventType === type) &&
          !this.#state.hasLeft(person, program.key, at),
      )
      .map(({ key }) => this.#memberOf(key, person, at));
  }

  #memberOf(program: string, person: string, at: string): Bound {
    const { members } = this.#state;
    const name = `${program} ${person}`;
    const known = members.get(name);
    if (known) return known;
    const made = {
      referrer: '',
      referee: person,
      program,
      boundAt: at,
      review: null,
      credited: [],
    };
    members.set(name, made);
    return made;
  }
}
