import type { ConfigPart } from '../../../platform/feed/writer/config-cache.ts';
import type { FanOut } from '../../../platform/feed/writer/project-write.ts';
import { isSubscribed, type OpenQueue } from '../endpoints/endpoint.ts';
import { listOpenQueues } from '../endpoints/endpoint-store.ts';
import { insertDeliveries } from './queue-store.ts';

const OPEN_QUEUES: ConfigPart<OpenQueue[]> = { load: listOpenQueues };

/** Queues each event for every enabled endpoint that subscribes to its type. */
export const queueDeliveries: FanOut = async (write, entries) => {
  const queues = await write.config(OPEN_QUEUES);
  const deliveries = queues.flatMap((queue) =>
    entries
      .filter(({ type }) => isSubscribed(queue, type))
      .map(({ position }) => ({ queueId: queue.queueId, position })),
  );
  if (deliveries.length > 0) insertDeliveries(write.tx, write.projectId, deliveries, write.realNow);
  return deliveries.length;
};
