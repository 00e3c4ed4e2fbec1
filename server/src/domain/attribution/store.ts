import type { Tx } from '../../platform/db/database.ts';
import { listRows, listValues } from '../../platform/db/statements.ts';
import { insertRows, text, timestamptz, updateRows } from '../../platform/db/write-rows.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Handle, Reference } from './decide-identify.ts';

/**
 * The handles with these ids or bound to these keys. Their rows stay locked until the transaction
 * ends. A click that adds a touch also locks its handle: either it commits first, and the following
 * statements see its touch, or it waits and finds the handle closed.
 */
export function lockHandles(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
  keys: readonly string[],
): Promise<Handle[]> {
  return tx.query<Handle>(
    `select h.id, h.identified_participant_id as "participantId", h.identified_at as "identifiedAt"
     from (select $1::text as project_id, asked_id from unnest($2::text[]) as asked (asked_id)
       union
       select r.project_id, r.handle_id from unnest($3::text[]) as asked (asked_key)
       cross join lateral (select * from handle_references r
         where r.project_id = $1 and r.key = asked_key offset 0) as r) as asked
     join handles h on h.project_id = asked.project_id and h.id = asked.asked_id
     where h.project_id = $1
     order by h.id ${tx.isSnapshot ? '' : 'for no key update of h'}`,
    [projectId, ids, keys],
  );
}

export const listReferences = listRows<
  Reference,
  [projectId: string, keys: readonly string[]],
  Tx
>(`select key, handle_id as "handleId", expires_at as "expiresAt",
       participant_id as "participantId", resolved_at as "resolvedAt"
     from unnest($2::text[]) as asked (asked_key)
     cross join lateral (select * from handle_references r
       where r.project_id = $1 and r.key = asked_key offset 0) as found`);

/** A handle has few keys, so counting them is a short index scan. */
export const countKeysOfHandles = listRows<
  { handleId: string; keys: number },
  [projectId: string, handleIds: readonly string[]],
  Tx
>(`select handle_id as "handleId", count(*)::int as keys
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.handle_id from handle_references r
       where r.project_id = $1 and r.handle_id = asked_id offset 0) as found
     group by handle_id`);

export const updateIdentifiedHandles = updateRows<Handle>(
  'handles',
  { id: text((handle) => handle.id) },
  {
    identified_participant_id: text((handle) => handle.participantId),
    identified_at: timestamptz((handle) => handle.identifiedAt),
  },
);

const upsertReferenceRows = insertRows<Reference>(
  'handle_references',
  {
    key: text((reference) => reference.key),
    handle_id: text((reference) => reference.handleId),
    expires_at: timestamptz((reference) => reference.expiresAt),
    participant_id: text((reference) => reference.participantId),
    resolved_at: timestamptz((reference) => reference.resolvedAt),
  },
  `on conflict (project_id, key) do update set
     participant_id = excluded.participant_id, resolved_at = excluded.resolved_at`,
);

/** A key that is there already can only become resolved: its handle and its end stay. */
export function upsertReferences(
  tx: Tx,
  projectId: string,
  now: Instant,
  references: readonly Reference[],
): void {
  upsertReferenceRows(tx, projectId, references, { created_at: now });
}

/** The handles stay closed and belong to nobody. Returns their ids. */
export const unlinkHandlesOf = listValues<
  string,
  [projectId: string, participantId: string],
  Tx
>(`update handles set identified_participant_id = null
     where project_id = $1 and identified_participant_id = $2 returning id`);

/** Every key that was resolved to the participant or is bound to one of these handles. */
export async function listKeysOf(
  tx: Tx,
  projectId: string,
  participantId: string,
  handleIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(
    `select key from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.key from handle_references r
       where r.project_id = $1 and r.handle_id = asked_id offset 0) as found
     union
     select key from handle_references where project_id = $1 and participant_id = $3`,
    [projectId, handleIds, participantId],
  );
  return rows.map((row) => row.key);
}

/** The rows stay, with other keys and without a participant: whether and when a key was resolved stays known. */
export function eraseKeys(
  tx: Tx,
  projectId: string,
  renamings: readonly { readonly key: string; readonly erased: string }[],
): void {
  tx.send(
    `update handle_references r set key = n.erased, participant_id = null
     from (select $1::text as project_id, u.*
       from unnest($2::text[], $3::text[]) as u (key, erased) offset 0) as n
     where r.project_id = $1 and r.project_id = n.project_id and r.key = n.key`,
    [projectId, renamings.map(({ key }) => key), renamings.map(({ erased }) => erased)],
  );
}
