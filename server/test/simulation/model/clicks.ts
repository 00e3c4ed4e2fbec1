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
  readonly refCode: string | null;
  readonly at: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export class Clicks {
  readonly #programs: readonly ProgramFacts[];
  readonly #names = new Map<string, Owner & { readonly codeId: string }>();
  readonly #touches: Touch[] = [];
  /** Whose a handle is. */
  readonly #owners = new Map<string, string>();
  /** What people have typed when they signed up. */
  readonly #typed = new Map<string, Touch>();

  constructor(programs: readonly ProgramFacts[]) {
    this.#programs = programs;
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

  ownerOf(handle: string): string | undefined {
    return this.#owners.get(handle);
  }

  /** A code that was typed is a touch of the person. */
  type({ person, refCode, at: occurredAt }: Asked): void {
    const owner = refCode === null ? undefined : this.#names.get(refCode);
    if (owner) this.#typed.set(person, { ...owner, handle: null, occurredAt });
  }

  /** "A valid refCode wins over all"; then come the clicks of a group, those of its actor, and the actor's own referral. */
  pick(asked: Asked, isGood: (touch: Owner) => boolean): Owner | null {
    const { person, actor, behind, refCode, at } = asked;
    const typed = refCode === null ? undefined : this.#names.get(refCode);
    if (typed && isGood(typed)) return typed;
    const good = (touches: readonly Moment[]) =>
      this.#pickOf(
        touches.filter((one) => {
          const { windowDays } = this.#policyAt(one.program, at);
          return Date.parse(one.occurredAt) + windowDays * DAY_MS >= Date.parse(at) && isGood(one);
        }),
        at,
      );
    const ofActor = actor === null ? [] : [...this.#touchesOf(actor), ...this.#typedBy(actor)];
    const own = good(this.#touchesOf(person)) ?? good(ofActor);
    if (own || !behind) return own;
    const { referrer, program, boundAt: occurredAt } = behind;
    return good([{ person: referrer, program, occurredAt }]);
  }

  #touchesOf(person: string): Touch[] {
    return this.#touches.filter(
      ({ handle }) => handle !== null && this.#owners.get(handle) === person,
    );
  }

  #typedBy(person: string): Touch[] {
    const typed = this.#typed.get(person);
    return typed ? [typed] : [];
  }

  /** "Each Program's model picks its touch, then the latest among Programs wins." */
  #pickOf(good: readonly Moment[], at: string): Owner | null {
    const picked = this.#programs.flatMap(({ key }) => {
      const inOrder = good.filter(({ program }) => program === key).sort(byTime);
      const { model } = this.#policyAt(key, at);
      return (model === 'first_touch' ? inOrder[0] : inOrder.at(-1)) ?? [];
    });
    return picked.sort(byTime).at(-1) ?? null;
  }

  #policyAt(program: string, at: string): Policy {
    const { policies } = this.#programs.find(({ key }) => key === program) as ProgramFacts;
    return policies.filter(({ effectiveAt }) => effectiveAt <= at).at(-1)?.policy as Policy;
  }
}

const byTime = (a: Moment, b: Moment) => (a.occurredAt < b.occurredAt ? -1 : 1);
