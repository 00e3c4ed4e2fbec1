import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { findEntries, findPositions, findRangeSince } from '../../../platform/feed/queries.ts';
import { answerOnce } from '../../../platform/feed/writer/kept-answers.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { endRehearsal } from '../../../platform/http/access/rehearsal.ts';
import { AppError, conflict, invalid } from '../../../platform/kit/errors.ts';
import { type Instant, parseInstant, toInstant } from '../../../platform/kit/instant.ts';
import type { DeliveryDeps } from '../deliveries/delivery.ts';
import type { Replay } from '../deliveries/delivery-schema.ts';
import { getTarget, type Target } from '../deliveries/delivery-store.ts';
import { isSubscribed } from '../endpoints/endpoint.ts';
import { type DueAgain, markReplayed, requeue } from './replay-store.ts';

/** Events per transaction. */
const SLICE = 1_000;

type OpenTarget = Target & { readonly queueId: string };

/**
 * Makes deliveries due at once, whatever their outcome was. Never locks the project's head: rows
 * put into a queue that is abandoned meanwhile belong to nobody. Fails with INVALID_REQUEST, NOT_FOUND,
 * or CONFLICT `endpoint_disabled`, also if the endpoint is disabled while it runs.
 */
export async function replayDeliveries(
  deps: DeliveryDeps,
  request: WriteRequest,
  endpointId: string,
  body: Replay,
): Promise<{ success: true; queued: number }> {
  const what = readReplay(body);
  return answerOnce(deps, request, async () => ({
    success: true,
    queued:
      'eventIds' in what
        ? await replayEvents(deps, request, endpointId, what.eventIds)
        : await replaySince(deps, request, endpointId, what.since),
  }));
}

function readReplay({ eventIds, since }: Replay): { eventIds: string[] } | { since: Instant } {
  const at = since ? parseInstant(since) : undefined;
  if (eventIds && at) throw invalid('since', 'cannot be combined with eventIds');
  if (eventIds) return { eventIds };
  if (at) return { since: at };
  throw invalid('eventIds', 'or since is required');
}

async function replayEvents(
  deps: DeliveryDeps,
  request: WriteRequest,
  endpointId: string,
  eventIds: readonly string[],
): Promise<number> {
  const { projectId } = request;
  const queued = await deps.database.transaction(async (tx) => {
    const target = await getTarget(tx, projectId, endpointId);
    const found = await findPositions(tx, projectId, eventIds);
    const positions = eventIds.map((eventId, index) => {
      const position = found.get(eventId);
      if (position === undefined) throw unknownEvent(eventId, index);
      return position;
    });
    const open = assertOpen(target);
    audit(deps, tx, request, { endpointId, changes: { eventIds } });
    const count = await queueAgain(tx, projectId, open, { positions, now: realNow(deps) });
    endRehearsal(request);
    return count;
  });
  if (queued > 0) deps.onDeliveriesDue(projectId);
  return queued;
}

/** In slices that are committed one by one: if one fails, another call continues with the rest. */
async function replaySince(
  deps: DeliveryDeps,
  request: WriteRequest,
  endpointId: string,
  since: Instant,
): Promise<number> {
  const { projectId } = request;
  const { queueId } = await deps.database.transaction(async (tx) => {
    const target = assertOpen(await getTarget(tx, projectId, endpointId));
    audit(deps, tx, request, { endpointId, changes: { since } });
    endRehearsal(request);
    return target;
  });
  const { after, upTo } = await findRangeSince(deps.database.reads, projectId, since);
  let queued = 0;
  for (let from = after; from < upTo; from += SLICE) {
    const slice = { after: from, upTo: Math.min(from + SLICE, upTo) };
    const queuedHere = await deps.database.transaction(async (tx) => {
      const target = assertOpen(await getTarget(tx, projectId, endpointId), queueId);
      const entries = await findEntries(tx, projectId, slice);
      const subscribed = entries.filter(({ type }) => isSubscribed(target, type));
      const positions = subscribed.map(({ position }) => position);
      return queueAgain(tx, projectId, target, { positions, now: realNow(deps) });
    });
    queued += queuedHere;
    if (queuedHere > 0) deps.onDeliveriesDue(projectId);
  }
  return queued;
}

async function queueAgain(
  tx: Tx,
  projectId: string,
  { endpointId, queueId }: OpenTarget,
  due: DueAgain,
): Promise<number> {
  if (due.positions.length === 0) return 0;
  const queued = await requeue(tx, projectId, queueId, due);
  await markReplayed(tx, projectId, endpointId, due.positions);
  return queued;
}

/** `queueId` is the queue used so far: if the endpoint has another one now, the former is lost. */
function assertOpen(target: Target, queueId?: string): OpenTarget {
  if (!target.isEnabled || target.queueId === null) {
    throw conflict(
      'endpoint_disabled',
      'This endpoint is disabled. Enable it before you replay events.',
    );
  }
  if (queueId !== undefined && target.queueId !== queueId) {
    throw conflict(
      'endpoint_disabled',
      'This endpoint was disabled and enabled again while its events were queued. Replay them again.',
    );
  }
  return { ...target, queueId: target.queueId };
}

function unknownEvent(eventId: string, index: number): AppError {
  return new AppError('NOT_FOUND', `No such event in this project: ${eventId}.`, {
    details: [{ path: `eventIds.${index}`, issue: 'is not an event of this project' }],
  });
}

function audit(
  deps: DeliveryDeps,
  tx: Tx,
  request: WriteRequest,
  replay: { readonly endpointId: string; readonly changes: Record<string, unknown> },
): void {
  recordAudit({ tx, now: realNow(deps), newId: deps.newId }, request, {
    action: 'webhook_endpoint.replay',
    targetType: 'webhook_endpoint',
    targetId: replay.endpointId,
    changes: replay.changes,
  });
}

function realNow({ clock }: DeliveryDeps): Instant {
  return toInstant(clock.nowMs());
}
