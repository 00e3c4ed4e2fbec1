import { CONNECT_FAULTS } from '../outside/connect-books.ts';
import { chance, pick, type Random } from './draw.ts';
import type { Operation, WorldSpec } from './operations.ts';
import { payBy } from './paypal.ts';

const ORDERED_MS = 17_000;
/** Numbers of operations that are there because Stripe Connect pays. */
const FIRST_ID = 120_000;

/** The same world, in which Stripe Connect pays instead of Wise, or both do. */
export function addConnect(spec: WorldSpec, random: Random): WorldSpec {
  const isAlone = chance(random, 60);
  const isFaulty = chance(random, 75);
  const operations: Operation[] = [];
  let added = 0;
  const add = (operation: object) => {
    added += 1;
    operations.push({ id: FIRST_ID + added, gapMs: 0, ...operation } as Operation);
  };
  for (const one of spec.operations) {
    const isConnect = isAlone || chance(random, 50);
    const isSubmitted = isConnect && one.kind === 'payout' && one.steps === 2;
    if (isSubmitted && isFaulty && chance(random, 40))
      add({ kind: 'provider', fault: random(CONNECT_FAULTS.length), at: 'stripe_connect' });
    operations.push(isConnect ? payBy('stripe_connect', one) : one);
    if (!isSubmitted || !chance(random, 60)) continue;
    // By then it is ordered.
    add({ kind: 'wait', ms: pick(random, [3_000, ORDERED_MS]) });
    add({ kind: 'transfer', nth: random(6), to: 'refunded', at: 'stripe_connect' });
  }
  const paidBy = isAlone ? (['stripe_connect'] as const) : (['wise', 'stripe_connect'] as const);
  return { ...spec, paidBy, operations };
}
