import type Stripe from 'stripe';
import { hashCard } from '../../../../domain/risk/cards/record-card.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../../platform/http/access/principal.ts';
import { conflict } from '../../../../platform/kit/errors.ts';
import type { ConnectionRow } from '../connections/connection.ts';
import { getConnection } from '../connections/connection-store.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import { insertEvent, insertParked, wakeParked } from './event-store.ts';
import { handleFact } from './handle-fact.ts';
import type { Handled } from './handled.ts';
import { mapEvent } from './map-event.ts';

export type Taken = Handled | { readonly state: 'repeated' };

/**
 * Handles an event of a connection: records it as a fact, parks it until it can be one, or ignores
 * it. The event's id is recorded in the same transaction, so that a repeat changes nothing. Throws
 * NOT_FOUND or CONFLICT `connection_disabled`, or an error after which Stripe should retry.
 */
export async function takeEvent(
  deps: StripeDeps,
  request: WriteRequest,
  connection: ConnectionRow,
  event: Stripe.Event,
): Promise<Taken> {
  const { projectId: ownProject } = request;
  const mapped = mapEvent(event, (card) => hashCard(deps.keyring, ownProject, card));
  // Most events of an account do not concern us; recording them would serve nobody.
  if ('ignored' in mapped) return { state: 'ignored', reason: mapped.ignored };
  const { fact } = mapped;
  const { id, type } = event;
  return deps.writer.run<Taken>(request, async (write) => {
    const current = await findOpen(write, connection.id);
    const { projectId } = write;
    const at = { projectId, connectionId: connection.id };
    if (!(await insertEvent(write.tx, { ...at, id, type, receivedAt: write.realNow }))) {
      return { answer: { state: 'repeated' } };
    }
    const handled = await handleFact({ deps, write, connection: current }, fact);
    if (handled.state === 'parked') {
      const { reason, waitsFor } = handled;
      const row = { ...at, id: write.newId('spk'), eventId: id, type, reason, fact, waitsFor };
      insertParked(write.tx, { ...row, dueAt: null, attempts: 0, parkedAt: write.realNow });
    }
    wake(write, handled);
    return { answer: handled };
  });
}

/**
 * Reads the connection under the lock: it may have been disabled or deleted while the request
 * waited.
 */
async function findOpen(write: ProjectWrite, connectionId: string): Promise<ConnectionRow> {
  const connection = await getConnection(write.tx, write.projectId, connectionId);
  if (connection.status !== 'active') {
    throw conflict('connection_disabled', 'This Stripe connection is disabled.');
  }
  return connection;
}

/** Makes events due that waited for this one. */
export function wake({ tx, projectId, realNow }: ProjectWrite, handled: Handled): void {
  if (handled.state !== 'done' || handled.wakes.length === 0) return;
  wakeParked(tx, projectId, handled.wakes, realNow);
}
