import type { Actor } from '../world/actor.ts';
import type { Shown, Wire } from './wire.ts';

/** Every event that was decided and every reward that was earned is in the feed. */
export async function checkAnnounced({ reader }: Actor, shown: Shown): Promise<string[]> {
  const announced = new Set<string>();
  for (let after = ''; ; ) {
    const from = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page: Wire = await reader.read(`/v1/webhook-events?limit=500${from}`);
    if (page.events.length === 0) break;
    for (const { type, data } of page.events) {
      if (type === 'event.recorded') announced.add(data.event.id);
      if (type === 'reward.earned') announced.add(data.reward.id);
    }
    after = page.next;
  }
  const decided = [...shown.events.values()].filter(
    ({ processingState }) => processingState === 'processed',
  );
  return [...decided, ...shown.rewards]
    .filter(({ id }) => !announced.has(id))
    .map(({ id }) => `the feed has nothing of ${id}`);
}
