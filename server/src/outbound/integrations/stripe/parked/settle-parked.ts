import { recordAudit } from '../../../../accounts/workspaces/audit-log.ts';
import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { OnBilled } from '../../../../domain/participants/write-participants.ts';
import { wakeDeliveries } from '../../../../domain/rewards/delivery/wake-deliveries.ts';
import { ownRequest, type WriteRequest } from '../../../../platform/http/access/principal.ts';
import { backoffMs } from '../../../../platform/kit/backoff.ts';
import { conflict, notFound } from '../../../../platform/kit/errors.ts';
import { addMs, HOUR_MS, toInstant } from '../../../../platform/kit/instant.ts';
import { findConnectionById } from '../connections/connection-store.ts';
import {
  deleteParked,
  findParked,
  listDue,
  postponeParked,
  updateWait,
  wakeParked,
} from '../events/event-store.ts';
import { handleFact } from '../events/handle-fact.ts';
import { wake } from '../events/take-event.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import { type ParkedRow, waits } from './parked.ts';

const RETRY_MS = 30_000;

/**
 * Handles at most `limit` due events of a project, including those that become due meanwhile.
 * Returns the count.
 */
export async function settleParked(
  deps: StripeDeps,
  projectId: string,
  limit: number,
): Promise<number> {
  const now = toInstant(deps.clock.nowMs());
  let settled = 0;
  while (settled < limit) {
    const due = await listDue(deps.database.reads, projectId, now, limit - settled);
    if (due.length === 0) break;
    for (const id of due) await settleOne(deps, projectId, id);
    settled += due.length;
  }
  return settled;
}

async function settleOne(deps: StripeDeps, projectId: string, id: string): Promise<void> {
  const request = ownRequest(projectId, 'stripe', deps.newId('req'));
  try {
    await handleParked(deps, request, id);
  } catch (error) {
    deps.onFailure(error, request.requestId);
    await postpone(deps, request, id);
  }
}

function handleParked(deps: StripeDeps, request: WriteRequest, id: string): Promise<null> {
  return deps.writer.run<null>(request, async (write) => {
    const { tx, projectId } = write;
    const row = await findParked(tx, projectId, id);
    // Another process was faster.
    if (!row || row.dueAt === null || row.dueAt > write.realNow) return { answer: null };
    const connection = await findConnectionById(tx, projectId, row.connectionId);
    if (!connection) {
      deleteParked(tx, projectId, id);
      return { answer: null };
    }
    const handled = await handleFact({ deps, write, connection }, row.fact);
    if (handled.state === 'parked') updateWait(tx, row, handled.reason, handled.waitsFor);
    else deleteParked(tx, projectId, id);
    wake(write, handled);
    return { answer: null };
  });
}

function postpone(deps: StripeDeps, request: WriteRequest, id: string): Promise<null> {
  return deps.writer.run<null>(request, async (write) => {
    const row = await findParked(write.tx, write.projectId, id);
    if (row) {
      const waitMs = backoffMs(row.attempts + 1, RETRY_MS, HOUR_MS);
      postponeParked(write.tx, row, addMs(write.realNow, waitMs));
    }
    return { answer: null };
  });
}

/**
 * Handles a parked event as one about this participant and returns the row as it was before. Throws
 * NOT_FOUND, CONFLICT `invalid_transition` if the event does not wait for a person, or what
 * handling the fact throws.
 */
export function resolveParked(
  deps: StripeDeps,
  request: WriteRequest,
  id: string,
  person: ParticipantRef,
): Promise<ParkedRow> {
  return deps.writer.run(request, async (write) => {
    const { tx, projectId } = write;
    const row = await findParked(tx, projectId, id);
    const connection = row && (await findConnectionById(tx, projectId, row.connectionId));
    if (!row || !connection) throw notFound('parked event');
    if (row.reason !== 'unknown_customer') {
      throw conflict(
        'invalid_transition',
        'This event waits for another one, not for a participant.',
      );
    }
    const handled = await handleFact({ deps, write, connection, person }, row.fact);
    if (handled.state === 'ignored' && handled.refusal) throw handled.refusal;
    deleteParked(tx, projectId, id);
    wake(write, handled);
    recordAudit(write, request, {
      action: 'stripe_parked.resolve',
      targetType: 'stripe_parked',
      targetId: id,
      changes: { eventId: row.eventId },
    });
    return { answer: row };
  });
}

/** What follows when participants get a billing id: events that waited for it become due. */
export const onBilled: OnBilled = (write, billed) => {
  const waitedFor = billed.flatMap(({ billingId }) =>
    billingId ? [waits.customer(billingId)] : [],
  );
  wakeParked(write.tx, write.projectId, waitedFor, write.realNow);
  const ids = billed.map(({ id }) => id);
  wakeDeliveries(write, ids);
};
