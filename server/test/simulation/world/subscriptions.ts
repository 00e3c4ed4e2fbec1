import { chance, pick, type Random } from './draw.ts';
import type { Operation, Undated, WorldSpec } from './operations.ts';

/** Numbers of orders and refunds of subscriptions, which no other order has. */
const FIRST_ORDER = 2_001;
const CHANGES = ['renewed', 'changed', 'cancelled', 'ended'] as const;

/**
 * The same world, in which most programs bind by the start of a subscription: people subscribe, pay for it, and change
 * and end it.
 */
export function addSubscriptions(spec: WorldSpec, random: Random): WorldSpec {
  const programs = spec.programs.map((one) =>
    chance(random, 70) ? { ...one, bindsBy: 'subscription' as const } : one,
  );
  const drawing = new SubscriptionDrawing(random, spec);
  const most = spec.operations.length + Math.ceil(spec.operations.length / 4);
  const operations = [...spec.operations];
  while (operations.length < most) {
    const from = Math.min(operations.length, Math.ceil(spec.people / 2));
    const at = from + random(operations.length - from + 1);
    const drawn = drawing.next().map((one, index) => {
      const gapMs = pick(random, [0, 0, 5, 1_000]);
      return { id: operations.length + index, gapMs, ...one } as Operation;
    });
    operations.splice(at, 0, ...drawn);
  }
  return { ...spec, programs, operations };
}

class SubscriptionDrawing {
  readonly #random: Random;
  readonly #people: number;
  /** People who sign up: few others subscribe. */
  readonly #known: readonly number[];
  #orders = 0;
  #refunds = 0;

  constructor(random: Random, { people, operations }: WorldSpec) {
    this.#random = random;
    this.#people = people;
    this.#known = operations.flatMap((one) => (one.kind === 'signup' ? [one.person] : []));
  }

  /** What comes one after the other. */
  next(): Undated[] {
    const random = this.#random;
    const isKnown = this.#known.length > 0 && chance(random, 85);
    const person = isKnown ? pick(random, this.#known) : random(this.#people);
    const subscription = random(2);
    const kind = random(100);
    if (kind < 45) {
      const start = { kind: 'subscribe', person, subscription, change: 'started' } as const;
      // "The first invoice often outruns it."
      return chance(random, 50) ? [this.#buy(person, subscription), start] : [start];
    }
    if (kind < 58)
      return [{ kind: 'subscribe', person, subscription, change: pick(random, CHANGES) }];
    if (kind < 90 || this.#orders === 0) return [this.#buy(person, subscription)];
    return [this.#refund()];
  }

  #buy(person: number, subscription: number): Undated {
    this.#orders += 1;
    const amountMinor = pick(this.#random, [1, 99, 1_000, 12_345]);
    const order = FIRST_ORDER + this.#orders - 1;
    return { kind: 'buy', person, order, amountMinor, subscription };
  }

  #refund(): Undated {
    this.#refunds += 1;
    return {
      kind: 'refund',
      order: FIRST_ORDER + this.#random(this.#orders),
      refund: FIRST_ORDER + this.#refunds,
      amountMinor: pick(this.#random, [1, 99, 12_345]),
      isEarly: false,
    };
  }
}
