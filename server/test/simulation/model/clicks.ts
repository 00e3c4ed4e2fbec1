// Who may have referred whom: codes, clicks of browsers, and whose browsers they are.

import type { Fact, Policy, ProgramFacts } from './facts.ts';

interface Owner {
  readonly person: string;
  readonly program: string;
}

interface Moment extends Owner {
  readonly occurredAt: string;
}

interface Touch extends Moment {
  /** Null for a code that was typed. */
  readonly handle: string | null;
  readonly codeId: string;
}

interface Asked {
  readonly person: string;
  /** Who acts for a group. */
  readonly actor: string | null;
  /** How the actor was referred. */
  readonly behind: {
    readonly referrer: string;
    readonly program: string;
    readonly boundAt: string;
  } | null;
  /** Of a signup; the start of a subscription has none. */
  readonly refCode: string | null;
  readonly at: string;
}

/** Whether somebody may be credited, and if so, only once a subscription starts. */
export type Merit = 'good' | 'awaits_subscription' | 'none';

interface Choice {
  readonly owner: Owner | null;
  /** Whether a subscription may still decide it. */
  readonly isAwaited: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CLOCKS_DIFFER_MS = 5 * 60_000;

export class Clicks {
  readonly #programs: readonly ProgramFacts[];
  readonly #names = new Map<string, Owner & { readonly codeId: string }>();
  readonly #touches: Touch[] = [];
  /** Whose a handle is. */
  readonly #owners = new Map<string, string>();
  /** What people have typed when they signed up. */
  readonly #typed = new Map<string, Moment>();

  constructor(programs: readonly ProgramFacts[]) {
    this.#programs = programs.filter(({ isLoyalty }) => !isLoyalty);
  }

  accept(fact: Fact & { kind: 'code' | 'touch' | 'identify' }): void {
    if (fact.kind === 'code') this.#names.set(fact.name, fact);
    if (fact.kind === 'touch') this.#touch(fact);
    if (fact.kind === 'identify' && !this.identify(fact.handle, fact.person))
      throw new Error(`${fact.handle} was given to ${fact.person}, and is another\u2019s.`);
  }

  /** Whether the handle is theirs, now or already. What nobody has visited with is no handle. */
  identify(handle: string, person: string): boolean {
    if (!this.#touches.some((one) => one.handle === handle)) return false;
    const owner = this.#owners.get(handle) ?? person;
    this.#owners.set(handle, owner);
    return owner === person;
  }

  /** "Same handle + code within 60 min = same touch." */
  #touch({ handle, name, occurredAt }: Fact & { kind: 'touch' }): void {
    const owner = this.#names.get(name);
    if (!owner) throw new Error(`${name} was clicked, and is nobody\u2019s.`);
    if (this.#owners.has(handle)) throw new Error(`${handle} is closed, and was given out again.`);
    const isSame = this.#touches.some(
      (one) =>
        one.handle === handle &&
        one.codeId === owner.codeId &&
        Date.parse(occurredAt) - Date.parse(one.occurredAt) < HOUR_MS,
    );
    if (!isSame) this.#touches.push({ ...owner, handle, occurredAt });
  }

  /** Who refers by a code or a slug. */
  ownerNamed(name: string | null): Owner | undefined {
    return name === null ? undefined : this.#names.get(name);
  }

  ownerOf(handle: string): string | undefined {
    return this.#owners.get(handle);
  }

  /** A code that was typed is a touch of the person. */
  type({ person, refCode, at: occurredAt }: Asked): void {
    const owner = refCode === null ? undefined : this.#names.get(refCode);
    if (owner) this.note(person, { ...owner, occurredAt });
  }

  /** A touch without a browser. */
  note(person: string, touch: Moment): void {
    this.#typed.set(person, touch);
  }

  /** "A valid refCode wins over all"; then come the clicks of a group, those of its actor, and the actor's own referral. */
  chooseAtSignup(asked: Asked, meritOf: (touch: Owner) => Merit): Choice {
    const { person, refCode, at } = asked;
    const named = refCode === null ? undefined : this.#names.get(refCode);
    const typed = named ? [{ ...named, occurredAt: at }] : [];
    const ofActor = [...this.#touchesOf(asked.actor), ...this.#typedBy(asked.actor)];
    const groups = [typed, this.#touchesOf(person), ofActor, behindOf(asked)];
    // It wins also while it waits.
    if (typed.some((one) => meritOf(one) === 'awaits_subscription'))
      return { owner: null, isAwaited: true };
    return this.#choose(groups, at, meritOf);
  }

  /** "At `started`, a stored ref_code touch beats clicks." */
  chooseAtStart(asked: Asked, meritOf: (touch: Owner) => Merit): Choice {
    const { person, actor, at } = asked;
    const ofPerson = [this.#typedBy(person), this.#touchesOf(person)];
    const ofActor = [this.#typedBy(actor), this.#touchesOf(actor)];
    return this.#choose([...ofPerson, ...ofActor, behindOf(asked)], at, meritOf);
  }

  #choose(
    groups: readonly (readonly Moment[])[],
    at: string,
    meritOf: (touch: Owner) => Merit,
  ): Choice {
    const inTime = groups.map((group) => group.filter((one) => this.#isInWindow(one, at)));
    for (const group of inTime) {
      const owner = this.#pickOf(
        group.filter((one) => meritOf(one) === 'good'),
        at,
      );
      if (owner) return { owner, isAwaited: false };
    }
    const isAwaited = inTime.flat().some((one) => meritOf(one) === 'awaits_subscription');
    return { owner: null, isAwaited };
  }

  /** "Touches later than occurredAt + 5 min never count." */
  #isInWindow({ program, occurredAt }: Moment, at: string): boolean {
    const { windowDays } = this.policyAt(program, at);
    const ageMs = Date.parse(at) - Date.parse(occurredAt);
    return ageMs >= -CLOCKS_DIFFER_MS && ageMs <= windowDays * DAY_MS;
  }

  #touchesOf(person: string | null): Touch[] {
    return this.#touches.filter(
      ({ handle }) => handle !== null && person !== null && this.#owners.get(handle) === person,
    );
  }

  #typedBy(person: string | null): Moment[] {
    const typed = this.#typed.get(person ?? '');
    return typed ? [typed] : [];
  }

  /** "Each Program's model picks its touch, then the latest among Programs wins." */
  #pickOf(good: readonly Moment[], at: string): Owner | null {
    const picked = this.#programs.flatMap(({ key }) => {
      const inOrder = good.filter(({ program }) => program === key).sort(byTime);
      const { model } = this.policyAt(key, at);
      return (model === 'first_touch' ? inOrder[0] : inOrder.at(-1)) ?? [];
    });
    return picked.sort(byTime).at(-1) ?? null;
  }

  policyAt(program: string, at: string): Policy {
    const { policies } = this.#programs.find(({ key }) => key === program) as ProgramFacts;
    return policies.filter(({ effectiveAt }) => effectiveAt <= at).at(-1)?.policy as Policy;
  }
}

/** How the actor was referred, as if it was a touch. */
const behindOf = ({ behind }: Asked): Moment[] =>
  behind ? [{ person: behind.referrer, program: behind.program, occurredAt: behind.boundAt }] : [];

const byTime = (a: Moment, b: Moment) => (a.occurredAt < b.occurredAt ? -1 : 1);
