import type { Acknowledged } from '../world/acting.ts';
import { adjustmentOf } from '../world/adjustments.ts';
import { nameOf } from '../world/names.ts';
import type { Operation, WorldSpec } from '../world/operations.ts';
import { timeOfId } from './ordered-facts.ts';
import type { Shown } from './wire.ts';

/** Each fact is there once, however often it was reported, and whoever repeats it gets the first answer. */
export function checkOnce(
  { events }: Pick<Shown, 'events'>,
  spec: WorldSpec,
  acknowledged: readonly Acknowledged[],
): string[] {
  const ids = new Map<string, Set<string>>();
  const note = (fact: string | null, id: unknown) => {
    if (fact !== null && id) ids.set(fact, (ids.get(fact) ?? new Set()).add(String(id)));
  };
  const receivedAt = new Map<string, string>();
  for (const { id, sourceEventId, receivedAt: at } of events.values()) {
    note(sourceEventId, id);
    receivedAt.set(sourceEventId, at);
  }
  for (const { operation, answer } of acknowledged) {
    if (answer.status !== 200) continue;
    const { eventId, purchaseAdjustmentId, purchaseId, data } = answer.body;
    const adjustment = adjustmentOf(spec, operation);
    const bought = adjustment && receivedAt.get(`o${adjustment.order}`);
    if (purchaseId === null && isDropped(purchaseAdjustmentId, bought)) continue;
    note(factOf(spec, operation), eventId ?? purchaseAdjustmentId ?? data?.id);
  }
  return [...ids].flatMap(([fact, all]) =>
    all.size > 1 ? [`${fact} is there ${all.size} times: ${[...all].join(', ')}`] : [],
  );
}

const DAY_MS = 86_400_000;

/** What waits for its purchase is dropped after a day. It can be reported again, and is another fact then. */
function isDropped(id: string, bought: string | null | undefined): boolean {
  return !bought || Date.parse(bought) - Date.parse(timeOfId(id)) >= DAY_MS;
}

/** What the backend calls the fact; null if the operation reports none. */
function factOf(spec: WorldSpec, operation: Operation): string | null {
  switch (operation.kind) {
    case 'buy':
      return `o${operation.order}`;
    case 'custom':
      return `c${operation.custom}`;
    case 'signup':
      return `the signup of ${nameOf(operation.person)}`;
    case 'subscribe':
      return `s${operation.id}`;
    default:
      return adjustmentOf(spec, operation)?.key ?? null;
  }
}
