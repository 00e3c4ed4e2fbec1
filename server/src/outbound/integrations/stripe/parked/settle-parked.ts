import type { Participant } from '../../../../domain/participants/schema.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import { ownRequest, type WriteRequest } from '../../../../platform/http/access/principal.ts';
import { backoffMs } from '../../../../platform/kit/backoff.ts';
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
import { waits } from './parked.ts';

const RETRY_MS = 30_000;

/** Makes events due that waited for one of these billing ids. */
export function wakeBilled(
  { tx, projectId, realNow }: ProjectWrite,
  billed: readonly Participant[],
): void {
  const waitedFor = billed.flatMap(({ billingId }) =>
    billingId ? [waits.customer(billingId)] : [],
  );
  wakeParked(tx, projectId, waitedFor, realNow);
}

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
    const handled = await handleFact({ deps, write, connection }, row.told);
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
