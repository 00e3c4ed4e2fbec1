import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { AdjustmentInput, SourceRef } from '../intake/normalize-adjustment.ts';
import type { EarlyAdjustment } from './facts.ts';

interface StoredEarly extends Omit<EarlyAdjustment, 'number' | 'input'> {
  readonly number: bigint;
  readonly fact: Omit<AdjustmentInput, 'amountMinor'> & { readonly amountMinor: string | null };
}

const EARLY = `a.id, a.number, a.fact, a.kept_at as "keptAt", a.expires_at as "expiresAt"`;

function toEarly({ fact, ...row }: StoredEarly): EarlyAdjustment {
  const amountMinor = fact.amountMinor === null ? null : BigInt(fact.amountMinor);
  return { ...row, number: Number(row.number), input: { ...fact, amountMinor } };
}

/** Adjustments that wait for these purchases, in order of arrival. */
export async function listEarly(
  tx: Tx,
  projectId: string,
  purchases: readonly SourceRef[],
): Promise<EarlyAdjustment[]> {
  const rows = await tx.query<StoredEarly>(
    `select ${EARLY} from unnest($2::text[], $3::text[]) as named (namespace_id, event_id)
     cross join lateral (select * from early_adjustments r
       where r.project_id = $1 and r.purchase_namespace_id = named.namespace_id
         and r.purchase_event_id = named.event_id offset 0) as a
     order by a.number`,
    [
      projectId,
      purchases.map((one) => one.sourceNamespaceId),
      purchases.map((one) => one.sourceEventId),
    ],
  );
  return rows.map(toEarly);
}

/** A Project's adjustments whose wait is over. */
export async function listExpired(
  tx: Tx,
  projectId: string,
  now: Instant,
  limit: number,
): Promise<EarlyAdjustment[]> {
  const rows = await tx.query<StoredEarly>(
    `select ${EARLY} from early_adjustments a where a.project_id = $1 and a.expires_at <= $2
     order by a.expires_at, a.number limit $3`,
    [projectId, now, limit],
  );
  return rows.map(toEarly);
}

/**
 * All Projects with expired adjustments, by real time or by a clock ahead of it. A Project with
 * many never hides another; only expired rows are read.
 */
export async function listProjectsExpired(source: Queryable, realNow: Instant): Promise<string[]> {
  const rows = await source.query<{ projectId: string }>(
    `select project_id as "projectId" from early_adjustments where expires_at <= $1::timestamptz
     union
     select a.project_id from project_heads h
     join early_adjustments a on a.project_id = h.project_id
     where h.clock_offset_ms > 0 and a.expires_at > $1::timestamptz
       and a.expires_at <= $1::timestamptz + h.clock_offset_ms * interval '1 millisecond'`,
    [realNow],
  );
  return rows.map(({ projectId }) => projectId);
}

export function insertEarly(tx: Tx, projectId: string, rows: readonly EarlyAdjustment[]): void {
  tx.send(
    `insert into early_adjustments (project_id, id, number, purchase_namespace_id,
       purchase_event_id, source_namespace_id, source_event_id, facts_hash, fact, kept_at,
       expires_at)
     select $1, a.id, a.number, a.purchase_namespace_id, a.purchase_event_id, a.namespace_id,
       a.event_id, a.facts_hash, a.fact::json, a.kept_at, a.expires_at
     from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
         $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[])
       as a (id, number, purchase_namespace_id, purchase_event_id, namespace_id, event_id,
         facts_hash, fact, kept_at, expires_at)`,
    [
      projectId,
      rows.map((row) => row.id),
      rows.map((row) => row.number),
      rows.map(({ input }) => input.purchase.sourceNamespaceId),
      rows.map(({ input }) => input.purchase.sourceEventId),
      rows.map(({ input }) => input.sourceNamespaceId),
      rows.map(({ input }) => input.sourceEventId),
      rows.map(({ input }) => input.factsHash),
      rows.map(({ input }) =>
        JSON.stringify({ ...input, amountMinor: input.amountMinor?.toString() ?? null }),
      ),
      rows.map((row) => row.keptAt),
      rows.map((row) => row.expiresAt),
    ],
  );
}

export function deleteEarly(tx: Tx, projectId: string, ids: readonly string[]): void {
  tx.send(
    `delete from early_adjustments a
     using (select $1::text as project_id, k.id from unnest($2::text[]) as k (id) offset 0) as old
     where a.project_id = $1 and a.project_id = old.project_id and a.id = old.id`,
    [projectId, ids],
  );
}

/** Allows these facts to be sent again. */
export function deleteSourceKeys(tx: Tx, projectId: string, keys: readonly SourceRef[]): void {
  tx.send(
    `delete from source_keys k
     using (select $1::text as project_id, n.* from unnest($2::text[], $3::text[])
       as n (namespace_id, event_id) offset 0) as old
     where k.project_id = $1 and k.project_id = old.project_id
       and k.source_namespace_id = old.namespace_id and k.source_event_id = old.event_id`,
    [projectId, keys.map((key) => key.sourceNamespaceId), keys.map((key) => key.sourceEventId)],
  );
}
