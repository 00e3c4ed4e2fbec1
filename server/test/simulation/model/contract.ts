// What the contract says that everybody must have, written without the service's own decisions: slow, small and obvious.

import { Adjusting } from './adjusting.ts';
import type { Accepted, Fact } from './facts.ts';
import { Judge } from './judge.ts';
import type { Bound } from './measures.ts';
import { Outcomes, owedFor } from './outcomes.ts';
import { type Bought, paidFor } from './purchases.ts';
import { type ExpectedReward, statusOf } from './rewards.ts';
import { State, statusAt } from './state.ts';

export interface Expected {
  /** The referrer and the program of each referee. */
  readonly referrals: ReadonlyMap<string, Bound>;
  readonly rewards: ReadonlyMap<string, ExpectedReward>;
  /** By person, whether the handle of their signup became theirs. */
  readonly identified: ReadonlyMap<string, boolean>;
  /** By person, the most that they should ever have had from payouts. */
  readonly mostOwed: ReadonlyMap<string, bigint>;
}

export function expectOf(accepted: Accepted): Expected {
  const model = new Model(accepted);
  for (const fact of accepted.facts) {
    model.accept(fact);
    model.noteOwed();
  }
  return model.expected;
}

class Model {
  readonly #state: State;
  readonly #judge: Judge;
  readonly #adjusting: Adjusting;
  readonly #outcomes: Outcomes;
  readonly #mostOwed = new Map<string, bigint>();

  constructor(accepted: Accepted) {
    this.#state = new State(accepted);
    this.#judge = new Judge(this.#state);
    this.#adjusting = new Adjusting(this.#state, this.#judge);
    this.#outcomes = new Outcomes(this.#state);
  }

  get expected(): Expected {
    const { referrals, rewards, identified } = this.#state;
    for (const one of rewards.values()) {
      one.status = statusOf(one);
      one.owedMinor = owedFor(one);
    }
    return { referrals, rewards, identified, mostOwed: this.#mostOwed };
  }

  noteOwed(): void {
    const owed = new Map<string, bigint>();
    for (const one of this.#state.rewards.values()) {
      if (!this.#state.program(one.program).paysCash || one.terms.benefitKind !== 'cash') continue;
      owed.set(one.beneficiary, (owed.get(one.beneficiary) ?? 0n) + owedFor(one));
    }
    for (const [person, minor] of owed)
      if (minor > (this.#mostOwed.get(person) ?? 0n)) this.#mostOwed.set(person, minor);
  }

  accept(fact: Fact): void {
    switch (fact.kind) {
      case 'code':
      case 'touch':
      case 'identify':
        this.#state.clicks.accept(fact);
        break;
      case 'signup':
        this.#signUp(fact);
        break;
      case 'purchase':
        this.#buy(fact);
        break;
      case 'waited':
        this.#giveUp(fact.purchase);
        break;
      case 'adjustment':
        this.#adjusting.report(fact);
        break;
      case 'erase':
        this.#state.erased.add(fact.person);
        for (const one of this.#state.rewards.values()) {
          if (one.beneficiary === fact.person && statusOf(one) === 'pending') one.isVoided = true;
        }
        break;
      default:
        this.#outcomes.accept(fact);
    }
  }

  #signUp(fact: Fact & { kind: 'signup' }): void {
    const { person, actor, occurredAt, receivedAt } = fact;
    const { signedUp, creators, purchases } = this.#state;
    if (signedUp.has(person)) throw new Error(`${person} signed up twice.`);
    signedUp.add(person);
    if (actor !== null) creators.set(person, actor);
    const bound = this.#bind(fact);
    if (bound) {
      const added = { referrals: 1n, purchases: 0n, revenue: 0n };
      const name = `signup ${person}`;
      const human = actor ?? person;
      this.#judge.judge(bound, { name, human, occurredAt, receivedAt, purchase: null, added });
    }
    for (const one of purchases.values())
      if (one.person === person && !one.isDecided) this.#decide(one);
  }

  /** "Candidates in order: refCode; touches of the group; touches of the actor; the actor's own Referral." */
  #bind(fact: Fact & { kind: 'signup' }): Bound | null {
    const { person, actor, refCode, handle, occurredAt: at } = fact;
    const { clicks, referrals, identified, purchases, erased } = this.#state;
    // "Identify binds the handle to the actor." What is the group's own stays so.
    if (handle !== null) {
      const isOwn = clicks.ownerOf(handle) === person;
      identified.set(person, isOwn || clicks.identify(handle, actor ?? person));
    }
    const isCustomer = [...purchases.values()].some(
      (one) => one.person === person && one.isDecided && paidFor(one) > 0n,
    );
    const asked = { person, actor, refCode, at, behind: referrals.get(actor ?? '') ?? null };
    const owner = clicks.pick(asked, (touch) => {
      const program = this.#state.program(touch.program);
      return (
        !isCustomer &&
        !this.#state.isSelf(touch.person, person, actor) &&
        !erased.has(touch.person) &&
        statusAt(program, at) === 'active' &&
        this.#state.isEnrolled(touch.person, program.key, at)
      );
    });
    clicks.type(asked);
    if (!owner) return null;
    const bound: Bound = {
      referrer: owner.person,
      referee: person,
      program: owner.program,
      boundAt: at,
      review: null,
      credited: [],
    };
    referrals.set(person, bound);
    return bound;
  }

  #buy({ gaveUp, ...purchase }: Fact & { kind: 'purchase' }): void {
    const made: Bought = { ...purchase, adjustments: [], isDecided: gaveUp, credit: null };
    this.#state.purchases.set(made.key, made);
    this.#adjusting.adjustEarly(made);
    if (this.#state.signedUp.has(made.person)) this.#decide(made);
  }

  /** Its signup does not come any more. */
  #giveUp(key: string): void {
    const purchase = this.#state.purchases.get(key);
    if (purchase && !purchase.isDecided) this.#decide(purchase);
  }

  #decide(purchase: Bought): void {
    purchase.isDecided = true;
    const bound = this.#findCredit(purchase);
    if (bound) this.#judge.credit(purchase, bound);
  }

  /** "A group's purchase without a Referral of the group falls back to that of its actor, then of its creator." */
  #findCredit({ person, actor }: Bought): Bound | null {
    const { referrals, creators } = this.#state;
    const own = referrals.get(person);
    if (own) return own;
    const others = [actor, creators.get(person)].flatMap((one) => referrals.get(one ?? '') ?? []);
    return others.find(({ referrer }) => !this.#state.isSelf(referrer, person, actor)) ?? null;
  }
}
