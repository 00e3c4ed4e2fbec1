import { findPositions } from '../../../platform/feed/queries.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { ATTEMPTS_SHOWN, type DeliveryWithAttempts } from './delivery-schema.ts';
import { findDelivery, findTarget, listAttempts } from './delivery-store.ts';
import { presentAttempts, presentDelivery } from './present-delivery.ts';

/**
 * The delivery of one event to one endpoint, read in one snapshot. Fails with NOT_FOUND if either does
 * not exist or nothing was sent.
 */
export async function findEndpointDelivery(
  deps: DeliveryDeps,
  projectId: string,
  endpointId: string,
  eventId: string,
): Promise<DeliveryWithAttempts> {
  const now = toInstant(deps.clock.nowMs());
  return deps.database.snapshot(async (tx) => {
    const target = await findTarget(tx, projectId, endpointId);
    if (!target) throw notFound('webhook endpoint');
    const position = (await findPositions(tx, projectId, [eventId])).get(eventId);
    if (position === undefined) throw notFound('event');
    const row = await findDelivery(tx, projectId, target, position);
    if (!row) throw notFound('delivery of this event to this endpoint');
    const newest = await listAttempts(tx, projectId, { endpointId, position }, ATTEMPTS_SHOWN);
    return {
      ...presentDelivery(row, now, target.isEnabled),
      attempts: presentAttempts(newest, row.attemptCount),
    };
  });
}
