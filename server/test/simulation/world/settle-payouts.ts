import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Payments } from '../outside/payments.ts';
import type { Actor } from './actor.ts';
import { letWorkersLook } from './calm.ts';
import { methodsOf } from './operations.ts';
import type { Sightings } from './sightings.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any hold of a world, and than new details wait. */
const HOLDS_MS = 31 * DAY_MS;
/** The worker looks every 15 seconds; a provider is asked again within the hour. */
const CALM_MS = 35_000;
/** A transfer is ordered, seen as sent, and its outcome is applied; what had failed before is tried again. */
const ROUNDS = 3;

interface Settled {
  readonly payments: Payments;
  readonly time: VirtualTime;
  readonly sightings: Sightings;
}

/** Ends what is under way, and pays everybody what they are owed by then. */
export async function settlePayouts(
  actor: Actor,
  { payments, time, sightings }: Settled,
): Promise<void> {
  const { cashier } = actor;
  const wait = async (ms: number) => {
    time.jump(ms);
    await letWorkersLook(actor.spec, time, CALM_MS);
  };
  const finish = async () => {
    await cashier.finishBatches();
    for (let round = 0; round < ROUNDS; round += 1) {
      await wait(2 * HOUR_MS);
      payments.sendAll();
    }
    await wait(2 * HOUR_MS);
    if (!methodsOf(actor.spec).includes('paypal')) return;
    if ((await cashier.recordUnanswered(payments)) > 0) {
      sightings.see('an unanswered payout was recorded');
      await wait(2 * HOUR_MS);
    }
  };
  await finish();
  await wait(HOLDS_MS);
  await cashier.setMinimum(null);
  await actor.seePayable();
  await cashier.payAll();
  await finish();
}
