// Who has referred whom: what a signup or the start of a subscription decides.

import type { Merit } from './clicks.ts';
import type { Fact } from './facts.ts';
import type { Bound } from './measures.ts';
import { type Bought, paidFor } from './purchases.ts';
import { type State, statusAt } from './state.ts';

interface Bindable {
  readonly person: string;
  readonly actor: string | null;
  readonly at: string;
  readonly trigger: 'signup' | 'subscription';
  readonly isCustomer: boolean;
}

interface Referring {
  readonly person: string;
  readonly program: string;
}

export class Binding {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** "Touches of `subscription` Programs stay unbound": then the signup is promised to one. */
  bindSignup(fact: Fact & { kind: 'signup' }): Bound | null {
    const { person, actor, refCode, handle, occurredAt: at } = fact;
    const { clicks, identified, referrals, promised } = this.#state;
    // "Identify binds the handle to the actor." What is the group's own stays so.
    if (handle !== null) {
      const isOwn = clicks.ownerOf(handle) === person;
      identified.set(person, isOwn || clicks.identify(handle, actor ?? person));
    }
    const known = referrals.get(person);
    const behind = referrals.get(actor ?? '') ?? null;
    const asked = { person, actor, refCode, at, behind };
    const isCustomer = this.#hasPaid(person, () => true);
    const { owner, isAwaited } = clicks.chooseAtSignup(asked, (touch) =>
      this.#meritOf(touch, { ...asked, trigger: 'signup', isCustomer }),
    );
    clicks.type(asked);
    if (known) return known;
    this.#noteTurnedAway({ ...asked, trigger: 'signup', isCustomer }, refCode);
    if (isAwaited) promised.set(person, fact);
    return owner && this.#bind(owner, person, at);
  }

  /** "Only `started`, under bindingTrigger:subscription, with no Referral yet, can bind." */
  bindStart({ person, subscription, occurredAt: at }: Fact & { kind: 'start' }): Bound | null {
    const { clicks, referrals, creators, promised } = this.#state;
    const actor = creators.get(person) ?? null;
    const asked = { person, actor, refCode: null, at, behind: referrals.get(actor ?? '') ?? null };
    // The first invoice of a subscription makes nobody a customer, nor does what came after a signup that waits for it.
    const isCustomer =
      !promised.has(person) && this.#hasPaid(person, (one) => one.subscription !== subscription);
    const { owner } = clicks.chooseAtStart(asked, (touch) =>
      this.#meritOf(touch, { ...asked, trigger: 'subscription', isCustomer }),
    );
    return owner && this.#bind(owner, person, at);
  }

  /** "Binds them at import time." Neither windows nor purchases keep it from that. */
  import({ referee, referrer, program, at }: Fact & { kind: 'import' }): void {
    const state = this.#state;
    const isAllowed =
      !state.referrals.has(referee) &&
      !state.isSelf(referrer, referee, null) &&
      !state.erased.has(referrer) &&
      !state.suspended.has(referrer) &&
      statusAt(state.program(program), at) === 'active' &&
      state.isEnrolled(referrer, program, at);
    if (!isAllowed) throw new Error(`${referee} was imported as referred by ${referrer}.`);
    this.#bind({ person: referrer, program }, referee, at);
    // A code is a touch, also in a file.
    state.clicks.note(referee, { person: referrer, program, occurredAt: at });
  }

  /** "Referrer not deleted, partner not suspended." */
  #meritOf(touch: Referring, bindable: Bindable): Merit {
    return this.#state.suspended.has(touch.person) ? 'none' : this.#meritBesides(touch, bindable);
  }

  #noteTurnedAway(bindable: Bindable, refCode: string | null): void {
    const { suspended, turnedAway, clicks } = this.#state;
    const named = clicks.ownerNamed(refCode);
    if (!named || !suspended.has(named.person)) return;
    if (this.#meritBesides(named, bindable) === 'good') turnedAway.add(bindable.person);
  }

  /** As if nobody was suspended. */
  #meritBesides(touch: Referring, { person, actor, at, trigger, isCustomer }: Bindable): Merit {
    const program = this.#state.program(touch.program);
    const isGood =
      !isCustomer &&
      !this.#state.isSelf(touch.person, person, actor) &&
      !this.#state.erased.has(touch.person) &&
      statusAt(program, at) === 'active' &&
      this.#state.isEnrolled(touch.person, program.key, at);
    if (!isGood) return 'none';
    const { bindingTrigger = 'signup' } = this.#state.clicks.policyAt(program.key, at);
    if (bindingTrigger === trigger) return 'good';
    return trigger === 'signup' ? 'awaits_subscription' : 'none';
  }

  /** "`existing_customer` only when it already has a processed purchase with something paid and left after refunds." */
  #hasPaid(person: string, counts: (one: Bought) => boolean): boolean {
    return [...this.#state.purchases.values()].some(
      (one) => one.person === person && one.isDecided && paidFor(one) > 0n && counts(one),
    );
  }

  #bind(owner: Referring, referee: string, boundAt: string): Bound {
    const { person: referrer, program } = owner;
    const bound: Bound = { referrer, referee, program, boundAt, review: null, credited: [] };
    this.#state.referrals.set(referee, bound);
    return bound;
  }
}
