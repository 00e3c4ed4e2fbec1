import { wakeBilled } from './integrations/stripe/settle-parked.ts';
import type { OnBilled } from './participants/participant-deps.ts';
import { wakeDeliveries } from './rewards/wake-deliveries.ts';

/** All that goes on once a participant has a billing id. */
export const onBilled: OnBilled = (write, billed) => {
  wakeBilled(write, billed);
  wakeDeliveries(
    write,
    billed.map(({ id }) => id),
  );
};
