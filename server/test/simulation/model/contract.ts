// What the contract says that everybody must have, written without the service's own decisions: slow, small and obvious.

import { Adjusting } from './adjusting.ts';
import { Binding } from './binding.ts';
import type { Accepted, Fact } from './facts.ts';
import { Judge } from './judge.ts';
import { Loyalty } from './loyalty.ts';
import type { Bound } from './measures.ts';
import { Outcomes, owedFor } from './outcomes.ts';
import { Owing } from './owing.ts';
import type { Bought } from './purchases.ts';
import { type ExpectedReward, statusOf } from './rewards.ts';
import { State } from './state.ts';

export interface Expected {
  /** The referrer and the program of each referee. */
  readonly referrals: ReadonlyMap<string, Bound>;
  readonly rewards: ReadonlyMap<string, ExpectedReward>;
  /** By person, whether the handle of their signup became theirs. */
  readonly identified: ReadonlyMap<string, boolean>;
  /** Who typed a code that was good but for the suspension of its partner. */
  readonly turnedAway: ReadonlySet<string>;
  /** By person, the most that they should ever have had from payouts. */
  readonly mostOwed: ReadonlyMap<string, bigint>;
}

const CLOCKS_DIFFER_MS = 5 * 60_000;

export function expectOf(accepted: Accepted): Expected {
  const model = new Model(accepted);
  for (const [at, fact] of accepted.facts.entries()) {
    model.accept(fact);
    model.owing.note(accepted.facts.slice(at + 1));
  }
  return model.expected;
}

class Model {
  readonly #state: State;
  readonly #binding: Binding;
  readonly #judge: Judge;
  readonly #adjusting: Adjusting;
  readonly #loyalty: Loyalty;
  readonly #outcomes: Outcomes;
  /** Subscriptions that were reported, by person. */
  readonly #starts = new Map<string, (Fact & { kind: 'start' })[]>();
  readonly owing: Owing;

  constructor(accepted: Accepted) {
    this.#state = new State(accepted);
    this.#binding = new Binding(this.#state);
    this.#judge = new Judge(this.#state);
    this.#adjusting = new Adjusting(this.#state, this.#judge);
    this.#loyalty = new Loyalty(this.#state, this.#judge);
    this.#outcomes = new Outcomes(this.#state);
    this.owing = new Owing(this.#state);
  }

  get expected(): Expected {
    const { referrals, rewards, identified, turnedAway } = this.#state;
    for (const one of rewards.values()) {
      one.status = statusOf(one);
      one.owedMinor = owedFor(one);
    }
    return { referrals, rewards, identified, turnedAway, mostOwed: this.owing.most };
  }

  accept(fact: Fact): void {
    switch (fact.kind) {
      case 'touch':
        this.#visit(fact);
        break;
      case 'code':
      case 'identify':
        this.#state.clicks.accept(fact);
        break;
      case 'signup':
        this.#signUp(fact);
        break;
      case 'purchase':
        this.#buy(fact);
        break;
      case 'custom':
        this.#doCustom(fact);
        break;
      case 'import':
        this.#binding.import(fact);
        this.#decideWaiting(fact.referee);
        break;
      case 'start':
        this.#start(fact);
        break;
      case 'waited':
        this.#giveUp(fact.purchase);
        break;
      case 'adjustment':
        this.#adjusting.report(fact);
        break;
      case 'suspend':
        this.#state.suspended.add(fact.person);
        break;
      case 'reinstate':
        this.#state.suspended.delete(fact.person);
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

  /** A link of somebody who is suspended leads to the page, and nothing counts it. */
  #visit(fact: Fact & { kind: 'touch' }): void {
    const { clicks, suspended } = this.#state;
    const owner = clicks.ownerNamed(fact.name);
    if (owner && suspended.has(owner.person))
      throw new Error(`${fact.name} was clicked while ${owner.person} was suspended.`);
    clicks.accept(fact);
  }

  #signUp(fact: Fact & { kind: 'signup' }): void {
    const { person, actor } = fact;
    const { signedUp, creators, promised, referrals } = this.#state;
    if (signedUp.has(person)) throw new Error(`${person} signed up twice.`);
    signedUp.add(person);
    if (actor !== null) creators.set(person, actor);
    const isKnown = referrals.has(person);
    const bound = this.#binding.bindSignup(fact);
    if (bound) this.#rewardSignup(fact, bound, isKnown ? 0n : 1n);
    // What was reported before it settles it as if it came now.
    const starts = promised.has(person) ? (this.#starts.get(person) ?? []) : [];
    for (const one of starts.toSorted((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1)))
      this.#settleByStart(one);
    // Purchases wait for all of them: a later one may bind.
    this.#decideWaiting(person);
  }

  /** "Then the Program's signup rules are applied to the signup that waited for it", and purchases that waited are decided. */
  #start(fact: Fact & { kind: 'start' }): void {
    this.#starts.set(fact.person, [...(this.#starts.get(fact.person) ?? []), fact]);
    if (this.#settleByStart(fact)) this.#decideWaiting(fact.person);
  }

  /** Whether purchases need not wait for it any longer. */
  #settleByStart(fact: Fact & { kind: 'start' }): boolean {
    const { person, occurredAt } = fact;
    const { referrals, promised } = this.#state;
    if (referrals.has(person)) return false;
    const signup = promised.get(person);
    const bound = this.#binding.bindStart(fact);
    const isLater =
      signup && Date.parse(occurredAt) + CLOCKS_DIFFER_MS >= Date.parse(signup.occurredAt);
    if (bound || isLater) promised.delete(person);
    if (bound && signup) this.#rewardSignup(signup, bound, 1n);
    return bound !== null || isLater === true;
  }

  #rewardSignup(signup: Fact & { kind: 'signup' }, bound: Bound, referrals: bigint): void {
    const { person, actor, occurredAt, receivedAt } = signup;
    const added = { referrals, purchases: 0n, revenue: 0n };
    const name = `signup ${person}`;
    const human = actor ?? person;
    const signedUp = { type: 'signup', name, human, occurredAt, receivedAt, added } as const;
    this.#judge.judge(bound, { ...signedUp, purchase: null });
  }

  /** It uses the referral that there is, and nothing waits. */
  #doCustom({ key, person, occurredAt, receivedAt }: Fact & { kind: 'custom' }): void {
    const type = 'custom_review';
    const added = { referrals: 0n, purchases: 0n, revenue: 0n };
    const name = `${type} ${key}`;
    const event = { type, name, human: person, occurredAt, receivedAt, added } as const;
    const bound = this.#findCredit({ person, actor: null });
    if (bound) this.#judge.judge(bound, { ...event, purchase: null });
    this.#loyalty.do({ ...event, purchase: null });
  }

  /** "A signup that waits for its subscription leaves purchases waiting too." */
  #isWaiting(person: string): boolean {
    const { signedUp, promised, referrals } = this.#state;
    return !referrals.has(person) && (!signedUp.has(person) || promised.has(person));
  }

  #decideWaiting(person: string): void {
    if (this.#isWaiting(person)) return;
    for (const one of this.#state.purchases.values())
      if (one.person === person && !one.isDecided) this.#decide(one);
  }

  #buy({ gaveUp, ...purchase }: Fact & { kind: 'purchase' }): void {
    const first = this.#findInvoice(purchase);
    if (first) {
      this.#state.duplicates.set(purchase.key, first);
      this.#adjusting.adjustEarly(purchase, first);
      return;
    }
    const made: Bought = {
      ...purchase,
      adjustments: [],
      isDecided: gaveUp,
      credit: null,
      loyalty: [],
    };
    this.#state.purchases.set(made.key, made);
    this.#adjusting.adjustEarly(made, made);
    this.#loyalty.buy(made);
    if (!this.#isWaiting(made.person)) this.#decide(made);
  }

  /** "The same invoiceId again for the same participant earns nothing"; none is in two currencies. */
  #findInvoice({ person, invoice }: Pick<Bought, 'person' | 'invoice'>): Bought | undefined {
    if (invoice === null) return undefined;
    const { purchases } = this.#state;
    return [...purchases.values()].find((one) => one.person === person && one.invoice === invoice);
  }

  /** What it waits for does not come any more. */
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
  #findCredit({ person, actor }: Pick<Bought, 'person' | 'actor'>): Bound | null {
    const { referrals, creators } = this.#state;
    const own = referrals.get(person);
    if (own) return own;
    const others = [actor, creators.get(person)].flatMap((one) => referrals.get(one ?? '') ?? []);
    return others.find(({ referrer }) => !this.#state.isSelf(referrer, person, actor)) ?? null;
  }
}
