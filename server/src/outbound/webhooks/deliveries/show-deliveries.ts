import type { Tx } from '../../../platform/db/database.ts';
import { findPositions } from '../../../platform/feed/queries.ts';
import {
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
} from '../../../platform/http/routes/paging.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { findEndpoints } from '../endpoints/endpoint-store.ts';
import type { AnsweredAttemptRow, AttemptRow, DeliveryDeps, DeliveryRow } from './delivery.ts';
import {
  ATTEMPTS_SHOWN,
  type Attempt,
  type Delivery,
  type DeliveryWithAttempts,
  type ListDeliveries,
} from './delivery-schema.ts';
import { type DeliveryStatus, isSending, statusOf, waitsUntil } from './delivery-status.ts';
import {
  findDelivery,
  getTarget,
  listAttempts,
  listDeliveries,
  listLatestAttempts,
  type Target,
  type Walk,
} from './delivery-store.ts';
import { describeHealth, type EndpointHealth, HEALTH_ATTEMPTS } from './endpoint-health.ts';

/** How many pages are searched for a status, so that every call is bounded. */
const LOOKS_MAX = 10;

/** Where to find each status; the last two places also contain other deliveries. */
const WALK_BY_STATUS: Readonly<Record<DeliveryStatus, Walk>> = {
  pending: 'queued',
  failed: 'failed',
  succeeded: 'tried',
  dropped: 'tried',
};

interface Page {
  readonly rows: readonly DeliveryRow[];
  /** The lowest position searched; null if nothing is below. */
  readonly lookedTo: number | null;
}

/**
 * By position of the event, newest first, read in one snapshot. Fails with NOT_FOUND for an unknown
 * endpoint or event, and INVALID_REQUEST for a bad cursor.
 */
export async function listEndpointDeliveries(
  deps: Pick<DeliveryDeps, 'database' | 'clock'>,
  projectId: string,
  endpointId: string,
  query: ListDeliveries,
): Promise<{ success: true; data: Delivery[]; nextCursor: string | null }> {
  const limit = query.limit ?? LIMIT_DEFAULT;
  const below =
    query.cursor === undefined
      ? Number.MAX_SAFE_INTEGER
      : decodeNumberCursor('deliveries', projectId, query.cursor);
  const { isEnabled, rows, lookedTo } = await deps.database.snapshot(async (tx) => {
    const target = await getTarget(tx, projectId, endpointId);
    const { eventId, status } = query;
    const page =
      eventId === undefined
        ? await findPage(tx, projectId, target, { status, below, limit })
        : await findOne(tx, projectId, target, { eventId, status, below });
    return { isEnabled: target.isEnabled, ...page };
  });
  const now = toInstant(deps.clock.nowMs());
  return {
    success: true,
    data: rows.map((row) => presentDelivery(row, now, isEnabled)),
    nextCursor: lookedTo === null ? null : encodeNumberCursor('deliveries', projectId, lookedTo),
  };
}

interface Asked {
  readonly status: DeliveryStatus | undefined;
  readonly below: number;
}

async function findPage(
  tx: Tx,
  projectId: string,
  target: Target,
  { status, below, limit }: Asked & { readonly limit: number },
): Promise<Page> {
  const walk = status === undefined ? 'all' : WALK_BY_STATUS[status];
  const found: DeliveryRow[] = [];
  let lookedTo = below;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const selection = { walk, below: lookedTo, limit: limit + 1 };
    const seen = await listDeliveries(tx, projectId, target, selection);
    found.push(...seen.filter((row) => status === undefined || statusOf(row) === status));
    const last = found[limit - 1];
    if (last && found.length > limit)
      return { rows: found.slice(0, limit), lookedTo: last.position };
    if (seen.length <= limit) return { rows: found, lookedTo: null };
    lookedTo = seen.at(-1)?.position ?? lookedTo;
  }
  return { rows: found, lookedTo };
}

async function findOne(
  tx: Tx,
  projectId: string,
  target: Target,
  { eventId, status, below }: Asked & { readonly eventId: string },
): Promise<Page> {
  const position = (await findPositions(tx, projectId, [eventId])).get(eventId);
  if (position === undefined) throw notFound('event');
  const row = await findDelivery(tx, projectId, target, position);
  const isAsked = row && row.position < below && (status === undefined || statusOf(row) === status);
  return { rows: isAsked ? [row] : [], lookedTo: null };
}

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
    const target = await getTarget(tx, projectId, endpointId);
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

/** `now` is the real time, which attempts use. Nothing is sent while the endpoint is disabled. */
function presentDelivery(row: DeliveryRow, now: Instant, isEnabled: boolean): Delivery {
  return {
    eventId: row.eventId,
    eventType: row.eventType,
    occurredAt: row.occurredAt,
    status: statusOf(row),
    attemptCount: row.attemptCount,
    isSending: isSending(row, now),
    nextAttemptAt: isEnabled ? waitsUntil(row) : null,
    lastAttempt: row.last && summarize(row.last),
  };
}

/** `newest` are the most recent attempts, newest first. */
function presentAttempts(newest: readonly AnsweredAttemptRow[], count: number): Attempt[] {
  return newest
    .map((row, index) => ({
      id: row.id,
      number: count - index,
      ...summarize(row),
      responseBody: row.responseBody,
    }))
    .reverse();
}

function summarize(row: AttemptRow): NonNullable<Delivery['lastAttempt']> {
  const { startedAt, outcome, responseStatus, latencyMs, failureReason, failureMessage } = row;
  return {
    startedAt,
    outcome,
    responseStatus,
    latencyMs,
    failure:
      failureReason === null ? null : { reason: failureReason, message: failureMessage ?? '' },
  };
}

/** How each of a project's endpoints answers, in the order of the endpoints. */
export async function listEndpointHealth(
  { database: { reads } }: Pick<DeliveryDeps, 'database'>,
  projectId: string,
): Promise<EndpointHealth[]> {
  const ids = (await findEndpoints(reads, projectId)).map(({ id }) => id);
  const attempts = groupBy(
    await listLatestAttempts(reads, projectId, ids, HEALTH_ATTEMPTS),
    ({ endpointId }) => endpointId,
  );
  return ids.map((id) => describeHealth(id, attempts.get(id) ?? []));
}
