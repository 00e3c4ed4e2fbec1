import type { Tx } from '../db/database.ts';
import type { Attempt } from './attempt.ts';

export function insertAttempts(tx: Tx, projectId: string, attempts: readonly Attempt[]): void {
  tx.send(
    `insert into webhook_attempts
       (project_id, endpoint_id, position, id, started_at, outcome, response_status,
        response_body, latency_ms, failure_reason, failure_message)
     select $1, a.endpoint_id, a.position, a.id, a.started_at, a.outcome, a.response_status,
       a.response_body, a.latency_ms, a.failure_reason, a.failure_message
     from unnest($2::text[], $3::bigint[], $4::text[], $5::timestamptz[], $6::text[],
         $7::integer[], $8::text[], $9::integer[], $10::text[], $11::text[])
       as a (endpoint_id, position, id, started_at, outcome, response_status, response_body,
         latency_ms, failure_reason, failure_message)
     on conflict (project_id, endpoint_id, position, id) do nothing`,
    [
      projectId,
      attempts.map((one) => one.endpointId),
      attempts.map((one) => one.position),
      attempts.map((one) => one.id),
      attempts.map((one) => one.startedAt),
      attempts.map((one) => one.outcome),
      attempts.map((one) => one.responseStatus),
      attempts.map((one) => one.responseBody),
      attempts.map((one) => one.latencyMs),
      attempts.map((one) => one.failureReason),
      attempts.map((one) => one.failureMessage),
    ],
  );
}
