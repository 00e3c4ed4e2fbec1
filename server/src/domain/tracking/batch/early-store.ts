import type { Tx } from '../../../platform/db/database.ts';
import { listValues, sendWrite } from '../../../platform/db/statements.ts';
import { bigint, insertRows, json, text, timestamptz } from '../../../platform/db/write-rows.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { AdjustmentInput, SourceRef } from '../intake/normalize-billing.ts';
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
export const listProjectsExpired = listValues<
  string,
  [realNow: Instant]
>(`select project_id as "projectId" from early_adjustments where expires_at <= $1::timestamptz
     union
     select a.project_id from project_heads h
     join early_adjustments a on a.project_id = h.project_id
     where h.clock_offset_ms > 0 and a.expires_at > $1::timestamptz
       and a.expires_at <= $1::timestamptz + h.clock_offset_ms * interval '1 millisecond'`);

export const insertEarly = insertRows<EarlyAdjustment>('early_adjustments', {
  id: text((row) => row.id),
  number: bigint((row) => row.number),
  purchase_namespace_id: text(({ input }) => input.purchase.sourceNamespaceId),
  purchase_event_id: text(({ input }) => input.purchase.sourceEventId),
  source_namespace_id: text(({ input }) => input.sourceNamespaceId),
  source_event_id: text(({ input }) => input.sourceEventId),
  facts_hash: text(({ input }) => input.factsHash),
  fact: json(({ input }) => ({ ...input, amountMinor: input.amountMinor?.toString() ?? null })),
  kept_at: timestamptz((row) => row.keptAt),
  expires_at: timestamptz((row) => row.expiresAt),
});

export const deleteEarly = sendWrite<
  [projectId: string, ids: readonly string[]]
>(`delete from early_adjustments a
     using (select $1::text as project_id, k.id from unnest($2::text[]) as k (id) offset 0) as old
     where a.project_id = $1 and a.project_id = old.project_id and a.id = old.id`);

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
