import { chance, pick, type Random } from './draw.ts';
import { type Operation, paysOut, type Undated, type WorldSpec } from './operations.ts';

/** Numbers of orders and refunds of groups, which no person's order has. */
const FIRST_ORDER = 1_001;

/**
 * The same world with groups in it: companies that people sign up and buy for, that refer others, are referred and are
 * erased. What was there before happens as it did, with some more in between.
 */
export function addGroups(spec: WorldSpec, random: Random): WorldSpec {
  const groups = 1 + random(4);
  const draw = new GroupDrawing(random, { ...spec, groups });
  const added = Math.ceil(spec.operations.length / 4);
  const operations = [...spec.operations];
  for (let index = 0; index < added; index += 1) {
    const id = spec.operations.length + index;
    const from = Math.min(operations.length, Math.ceil(spec.people / 2));
    const at = from + random(operations.length - from + 1);
    operations.splice(at, 0, {
      id,
      gapMs: pick(random, [0, 0, 5, 1_000]),
      ...draw.next(),
    } as Operation);
  }
  return { ...spec, groups, operations };
}

/** It does not know when what it draws happens: a group may buy before it signs up. */
class GroupDrawing {
  readonly #random: Random;
  readonly #spec: WorldSpec & { readonly groups: number };
  readonly #signups = new Map<number, Undated & { kind: 'signup' }>();
  /** A store that was lost knows nothing of browsers. */
  readonly #hasBrowsers: boolean;
  /** People who sign up, and a few of them who found most groups: what counts once for each human is seen only then. */
  readonly #known: readonly number[];
  readonly #founders: readonly number[];
  #orders = 0;
  #refunds = 0;

  constructor(random: Random, spec: WorldSpec & { readonly groups: number }) {
    this.#random = random;
    this.#spec = spec;
    this.#hasBrowsers = !spec.operations.some(({ kind }) => kind === 'put_back');
    const known = spec.operations.flatMap((one) =>
      one.kind === 'signup' && one.referrer !== null ? [one.person] : [],
    );
    this.#known = known.length > 0 ? known : [0];
    this.#founders = [pick(random, this.#known), pick(random, this.#known)];
  }

  next(): Undated {
    const random = this.#random;
    const { people, groups, programs } = this.#spec;
    const group = people + random(groups);
    const kind = random(100);
    if (kind < 14) return { kind: 'join', person: group, program: random(programs.length) };
    if (kind < 42) return this.#signUp(group);
    if (kind < 70) return this.#buy(group);
    if (kind < 78) return this.#adjust(group);
    if (kind < 84)
      return {
        kind: pick(random, ['grant', 'void', 'revoke'] as const),
        person: group,
        nth: random(4),
      };
    if (kind < 88) return { kind: 'erase', person: group, isForced: chance(random, 60) };
    if (kind < 94 && paysOut(this.#spec)) return { kind: 'details', person: group, account: 0 };
    if (kind < 97 && this.#hasBrowsers)
      return { kind: 'identify', browser: random(people), person: group };
    return this.#signUp(random(people), group);
  }

  /** A group, or somebody whom a group has referred. A repeat says the same. */
  #signUp(person: number, referrer: number | null = null): Undated {
    const random = this.#random;
    const { people, programs, operations } = this.#spec;
    const known = this.#signups.get(person) ?? this.#find(person);
    if (known) return known;
    const isGroup = person >= people;
    const actor = chance(random, 75) ? pick(random, this.#founders) : random(people);
    const hasBrowser = this.#hasBrowsers && chance(random, 30);
    const joined = operations.flatMap((one) => (one.kind === 'join' ? [one] : []));
    const by = joined.length > 0 ? pick(random, joined) : null;
    const code = referrer ?? (chance(random, 45) ? (by?.person ?? null) : null);
    const first = {
      kind: 'signup' as const,
      person,
      referrer: code,
      program: referrer === null ? (by?.program ?? 0) : random(programs.length),
      via: 'code' as const,
      browser: hasBrowser ? actor : null,
      ...(isGroup && chance(random, 85) ? { actor } : {}),
    };
    this.#signups.set(person, first);
    return first;
  }

  /** What the world has signed up already. */
  #find(person: number): (Undated & { kind: 'signup' }) | null {
    for (const one of this.#spec.operations) {
      if (one.kind !== 'signup' || one.person !== person) continue;
      const { id, gapMs, ...signup } = one;
      return signup;
    }
    return null;
  }

  #buy(group: number): Undated {
    const random = this.#random;
    this.#orders += 1;
    return {
      kind: 'buy',
      person: group,
      order: FIRST_ORDER + this.#orders - 1,
      amountMinor: pick(random, [1, 99, 1_000, 12_345, 999_999]),
      ...(chance(random, 50) ? { actor: pick(random, this.#known) } : {}),
    };
  }

  #adjust(group: number): Undated {
    const random = this.#random;
    if (this.#orders === 0) return this.#buy(group);
    const order = FIRST_ORDER + random(this.#orders);
    const amountMinor = pick(random, [1, 99, 12_345, 999_999]);
    this.#refunds += 1;
    return {
      kind: 'refund',
      order,
      refund: FIRST_ORDER + this.#refunds,
      amountMinor,
      isEarly: false,
    };
  }
}
