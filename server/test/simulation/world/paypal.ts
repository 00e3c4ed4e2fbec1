import { TRANSFER_ENDS } from '../outside/books.ts';
import { PAYPAL_FAULTS } from '../outside/paypal-books.ts';
import { chance, pick, type Random } from './draw.ts';
import type { Operation, WorldSpec } from './operations.ts';

const ORDERED_MS = 17_000;
const DAY_MS = 86_400_000;
const LOST = PAYPAL_FAULTS.indexOf('lost_answer');
/** Numbers of operations that are there because PayPal pays. */
const FIRST_ID = 70_000;

/** The same world, in which PayPal pays instead of Wise, or both do. Orders go wrong more often. */
export function addPaypal(spec: WorldSpec, random: Random): WorldSpec {
  const isAlone = chance(random, 60);
  const isFaulty = chance(random, 75);
  const operations: Operation[] = [];
  let added = 0;
  const add = (operation: object) => {
    added += 1;
    operations.push({ id: FIRST_ID + added, gapMs: 0, ...operation } as Operation);
  };
  for (const one of spec.operations) {
    const isPaypal = isAlone || chance(random, 50);
    const isSubmitted = one.kind === 'payout' && one.steps === 2;
    // An order of a month ago cannot be asked about any more.
    const isLost = isPaypal && isSubmitted && isFaulty && chance(random, 10);
    if (isLost) add({ kind: 'provider', fault: LOST, at: 'paypal' });
    if (isPaypal && isSubmitted && isFaulty && chance(random, 35))
      add({ kind: 'provider', fault: random(PAYPAL_FAULTS.length), at: 'paypal' });
    operations.push(isPaypal ? payBy('paypal', one) : one);
    if (isSubmitted && chance(random, 40)) add({ kind: 'wait', ms: pick(random, [3_000, 20_000]) });
    if (isSubmitted && isPaypal && chance(random, 40)) {
      // By then it is ordered.
      add({ kind: 'wait', ms: ORDERED_MS });
      add({ kind: 'transfer', nth: random(6), to: pick(random, TRANSFER_ENDS), at: 'paypal' });
    }
    const isNews = one.kind === 'transfer' || isSubmitted;
    if (isNews && isPaypal && chance(random, 40)) add({ kind: 'hint', nth: random(6) });
    if (!isLost) continue;
    add({ kind: 'wait', ms: ORDERED_MS });
    add({ kind: 'sleep', ms: 31 * DAY_MS });
  }
  const paidBy = isAlone ? (['paypal'] as const) : (['wise', 'paypal'] as const);
  return { ...spec, paidBy, operations };
}

/** The same by another provider than Wise. */
export function payBy(method: 'paypal' | 'stripe_connect', one: Operation): Operation {
  switch (one.kind) {
    case 'details':
      return { ...one, type: method };
    case 'payout':
      return one.method === 'wise' ? { ...one, method } : one;
    case 'transfer':
    case 'provider':
      return { ...one, at: method };
    default:
      return one;
  }
}
