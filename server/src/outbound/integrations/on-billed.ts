import type { OnBilled } from '../../domain/participants/participant-deps.ts';
import { wakeDeliveries } from '../../domain/rewards/delivery/queries.ts';
import { wakeBilled } from './stripe/parked/settle-parked.ts';

/** Everything that follows when a participant gets a billing id. */
export const onBilled: OnBilled = (write, billed) => {
  wakeBilled(write, billed);
  wakeDeliveries(
    write,
    billed.map(({ id }) => id),
  );
};
