import { chance, pick, type Random } from './draw.ts';
import type { Operation, WorldSpec } from './operations.ts';

/** Numbers of orders, refunds and operations that are there because an invoice is reported again. */
const FIRST_ORDER = 5_001;
const FIRST_ID = 50_000;

type Buy = Operation & { readonly kind: 'buy' };

/**
 * The same world, in which the backend and the billing provider report some purchases each: both name the invoice. Now and then
 * another person has an invoice of the same number.
 */
export function addInvoices(spec: WorldSpec, random: Random): WorldSpec {
  const operations: Operation[] = [];
  let added = 0;
  const later: Operation[] = [];
  for (const one of spec.operations) {
    if (one.kind !== 'buy' || !isPlain(one) || chance(random, 30)) {
      operations.push(one);
    } else {
      added += 1;
      operations.push({ ...one, invoice: one.order });
      later.push(...billAgain(one, added));
    }
    // Some come at once, others much later.
    while (later.length > 0 && chance(random, 45)) operations.push(later.shift() as Operation);
  }
  return { ...spec, operations: [...operations, ...later] };

  function billAgain({ person, order, amountMinor }: Buy, nth: number): Operation[] {
    const bill: Operation = {
      id: FIRST_ID + 2 * nth,
      gapMs: pick(random, [0, 0, 5, 1_000]),
      kind: 'buy',
      person: chance(random, 80) ? person : random(spec.people),
      order: FIRST_ORDER + nth,
      invoice: order,
      amountMinor: chance(random, 80) ? amountMinor : pick(random, [1, 99, 12_345]),
    };
    if (!chance(random, 40)) return [bill];
    const refund: Operation = {
      id: FIRST_ID + 2 * nth + 1,
      gapMs: 0,
      kind: 'refund',
      order: FIRST_ORDER + nth,
      refund: FIRST_ORDER + nth,
      amountMinor: pick(random, [1, 99, Math.max(1, amountMinor)]),
      isEarly: chance(random, 20),
    };
    return [bill, refund];
  }
}

/** A purchase of a person that names nothing yet. */
const isPlain = ({ actor, subscription }: Buy) => actor === undefined && subscription === undefined;
