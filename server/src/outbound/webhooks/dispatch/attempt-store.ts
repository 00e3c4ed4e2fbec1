import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { bigint, insertRows, integer, text, timestamptz } from '../../../platform/db/write-rows.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Attempt } from '../deliveries/delivery.ts';

export const insertAttempts = insertRows<Attempt>(
  'webhook_attempts',
  {
    endpoint_id: text((one) => one.endpointId),
    position: bigint((one) => one.position),
    id: text((one) => one.id),
    started_at: timestamptz((one) => one.startedAt),
    outcome: text((one) => one.outcome),
    response_status: integer((one) => one.responseStatus),
    response_body: text((one) => one.responseBody),
    latency_ms: integer((one) => one.latencyMs),
    failure_reason: text((one) => one.failureReason),
    failure_message: text((one) => one.failureMessage),
  },
  'on conflict (project_id, endpoint_id, position, id, started_at) do nothing',
);

export interface AttemptKey {
  readonly projectId: string;
  readonly endpointId: string;
  readonly position: bigint;
  readonly id: string;
}

/** Oldest first, of all projects. */
export function listOldAttempts(db: Queryable, before: Instant, limit: number) {
  return db.query<AttemptKey>(
    `select project_id as "projectId", endpoint_id as "endpointId", position, id
     from webhook_attempts where started_at < $1 order by started_at limit $2`,
    [before, limit],
  );
}

/** Returns how many were still there. */
export async function deleteAttempts(tx: Tx, projectId: string, keys: readonly AttemptKey[]) {
  const rows = await tx.query(
    `delete from webhook_attempts a
     using (select $1::text as project_id, k.* from unnest($2::text[], $3::bigint[], $4::text[])
       as k (endpoint_id, position, id)) as old
     where a.project_id = $1 and a.project_id = old.project_id
       and a.endpoint_id = old.endpoint_id and a.position = old.position and a.id = old.id
     returning 1`,
    [
      projectId,
      keys.map(({ endpointId }) => endpointId),
      keys.map(({ position }) => position),
      keys.map(({ id }) => id),
    ],
  );
  return rows.length;
}

/** Position of a walk through a project's attempts. */
export type AttemptPlace = Omit<AttemptKey, 'projectId'>;

/**
 * Clears the responses in the next slice that contain one of these words. Returns where the slice
 * ends, undefined after the last.
 */
export async function clearAnswers(
  tx: Tx,
  projectId: string,
  { words, participantId }: { readonly words: readonly string[]; readonly participantId: string },
  { after, limit }: { readonly after: AttemptPlace | undefined; readonly limit: number },
): Promise<AttemptPlace | undefined> {
  const [place] = await tx.query<AttemptPlace>(
    `with slice as (
       select endpoint_id, position, id from webhook_attempts
       where project_id = $1 and (endpoint_id, position, id) > ($2, $3::bigint, $4)
       order by endpoint_id, position, id limit $5),
     cleared as (
       update webhook_attempts a set response_body = ''
       from slice s
       where a.project_id = $1 and a.endpoint_id = s.endpoint_id and a.position = s.position
         and a.id = s.id and a.response_body <> ''
         and (exists (select 1 from unnest($6::text[]) as w (word)
             where strpos(a.response_body, w.word) > 0)
           or exists (select 1 from feed_events f
             where f.project_id = $1 and f.position = a.position
               and strpos(f.data::text, $7) > 0))
       returning 1)
     select endpoint_id as "endpointId", position, id from slice
     order by endpoint_id desc, position desc, id desc limit 1`,
    [
      projectId,
      after?.endpointId ?? '',
      after?.position ?? 0,
      after?.id ?? '',
      limit,
      words,
      participantId,
    ],
  );
  return place;
}
