import type { Acknowledged } from '../world/acting.ts';
import { adjustmentOf } from '../world/adjustments.ts';
import { nameOf } from '../world/names.ts';
import type { Operation, WorldSpec } from '../world/operations.ts';
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
  for (const { id, sourceEventId } of events.values()) note(sourceEventId, id);
  for (const { operation, answer } of acknowledged) {
    if (answer.status !== 200) continue;
    const { eventId, purchaseAdjustmentId, data } = answer.body;
    note(factOf(spec, operation), eventId ?? purchaseAdjustmentId ?? data?.id);
  }
  return [...ids].flatMap(([fact, all]) =>
    all.size > 1 ? [`${fact} is there ${all.size} times: ${[...all].join(', ')}`] : [],
  );
}

/** What the backend calls the fact; null if the operation reports none. */
function factOf(spec: WorldSpec, operation: Operation): string | null {
  switch (operation.kind) {
    case 'buy':
      return `o${operation.order}`;
    case 'signup':
      return `the signup of ${nameOf(operation.person)}`;
    case 'subscribe':
      return `s${operation.id}`;
    default:
      return adjustmentOf(spec, operation)?.key ?? null;
  }
}
