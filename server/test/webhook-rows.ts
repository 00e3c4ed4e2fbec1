import type { AttemptOutcome } from '../src/outbound/webhooks/deliveries/delivery.ts';
import type { Database, Tx } from '../src/platform/db/database.ts';
import type { FeedEventType } from '../src/platform/feed/writer/project-write.ts';
import { addMs } from '../src/platform/kit/instant.ts';
import type { TestService } from './harness.ts';
import { requestFor } from './write-notes.ts';

export interface TestEndpoint {
  readonly projectId: string;
  readonly endpointId: string;
  readonly queueId: string;
}

let made = 0;

/** In the order of texts, too. */
function nextNumber(): string {
  made += 1;
  return String(made).padStart(9, '0');
}

/** An enabled endpoint, told to every process as the service itself does. */
export async function addEndpoint(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  projectId: string,
  eventTypes: readonly FeedEventType[] | null = null,
): Promise<TestEndpoint> {
  const number = nextNumber();
  const endpoint = { projectId, endpointId: `whe_${number}`, queueId: `whq_${number}` };
  await database.transaction(async (tx) => {
    await tx.query(
      `insert into webhook_endpoints (project_id, id, url, event_types, api_version,
         fulfillment_mode, queue_id, secrets, created_at, updated_at)
       values ($1, $2, 'https://example.com', $3, '2026-10-04', 'on_delivery', $4, '[]', $5, $5)`,
      [projectId, endpoint.endpointId, eventTypes, endpoint.queueId, clock.now],
    );
    await raiseConfigNumber(tx, projectId);
  });
  return endpoint;
}

/** Null disables it. */
export function setQueue(
  database: Database,
  { projectId, endpointId }: TestEndpoint,
  queueId: string | null,
): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.query('update webhook_endpoints set queue_id = $3 where project_id = $1 and id = $2', [
      projectId,
      endpointId,
      queueId,
    ]);
    await raiseConfigNumber(tx, projectId);
  });
}

async function raiseConfigNumber(tx: Tx, projectId: string): Promise<void> {
  await tx.query(
    'update project_heads set config_number = config_number + 1 where project_id = $1',
    [projectId],
  );
}

/** Adds events of this type to the feed, and tells their ids. */
export async function appendEvents(
  { writer, database }: Pick<TestService, 'writer' | 'database'>,
  projectId: string,
  count: number,
  type: FeedEventType = 'participant.created',
): Promise<string[]> {
  await writer.run(requestFor(projectId), async (write) => {
    const participant = { participantId: 'par_test', kind: 'individual', externalId: 'test' };
    const data = type === 'participant.created' ? { participant } : {};
    for (let n = 0; n < count; n += 1) write.append(type, data);
    return { answer: null };
  });
  const rows = await database.reads.query<{ id: string }>(
    'select id from feed_events where project_id = $1 order by position desc limit $2',
    [projectId, count],
  );
  return rows.map(({ id }) => id).reverse();
}

/** A worker takes it up, for so long. */
export async function lease(
  tx: Tx,
  { projectId, queueId }: TestEndpoint,
  position: number,
  until: string,
): Promise<void> {
  await tx.query(
    `update webhook_deliveries set lease_id = 'lease', leased_until = $4
     where project_id = $1 and queue_id = $2 and position = $3`,
    [projectId, queueId, position, until],
  );
}

const RETRY_MS = 30_000;

const THANKS = { status: 200, body: 'thanks' };

interface TestAttempt {
  readonly outcome: AttemptOutcome;
  readonly startedAt: string;
  readonly answer?: { readonly status: number; readonly body: string } | null | undefined;
}

/** One attempt and what becomes of the delivery by it, as a worker records them. */
export async function recordAttempt(
  tx: Tx,
  { projectId, endpointId, queueId }: TestEndpoint,
  position: number,
  { outcome, startedAt, answer = outcome === 'succeeded' ? THANKS : null }: TestAttempt,
): Promise<void> {
  await tx.query(
    `insert into webhook_attempts (project_id, endpoint_id, position, id, started_at, outcome,
       response_status, response_body, latency_ms, failure_reason, failure_message)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 12, $9, $10)`,
    [
      projectId,
      endpointId,
      position,
      `wha_${nextNumber()}`,
      startedAt,
      outcome,
      answer?.status ?? null,
      answer?.body ?? null,
      answer ? null : 'timed_out',
      answer ? null : 'There was no answer in time.',
    ],
  );
  const key = [projectId, queueId, position];
  if (outcome === 'retrying') {
    await tx.query(
      `update webhook_deliveries set attempts = attempts + 1, is_retry = true, due_at = $4,
         lease_id = null, leased_until = null where project_id = $1 and queue_id = $2 and position = $3`,
      [...key, addMs(startedAt, RETRY_MS)],
    );
  } else {
    await tx.query(
      'delete from webhook_deliveries where project_id = $1 and queue_id = $2 and position = $3',
      key,
    );
  }
}

export interface QueuedRow {
  readonly position: number;
  readonly attempts: number;
  readonly isRetry: boolean;
  readonly isDue: boolean;
  readonly isLeased: boolean;
}

/** What waits, in the order of the feed. */
export async function readQueue(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  { projectId, queueId }: TestEndpoint,
): Promise<QueuedRow[]> {
  const rows = await database.reads.query<Omit<QueuedRow, 'position'> & { position: bigint }>(
    `select position, attempts, is_retry as "isRetry", due_at <= $3 as "isDue",
       lease_id is not null as "isLeased"
     from webhook_deliveries where project_id = $1 and queue_id = $2 order by position`,
    [projectId, queueId, clock.now],
  );
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}
