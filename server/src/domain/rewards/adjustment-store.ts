import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { snapshotOf } from './read/present.ts';
import type { RewardAdjustmentRow } from './reward.ts';
import type { RewardAdjustment } from './schema.ts';

export function insertRewardAdjustments(
  tx: Tx,
  projectId: string,
  rows: readonly RewardAdjustmentRow[],
): void {
  tx.send(
    `insert into reward_adjustments (project_id, id, number, purchase_adjustment_id, reward_id,
       purchase_id, currency, signed_amount_minor, calculation_snapshot, created_at, updated_at,
       beneficiary_participant_id)
     select $1, a.id, a.number, a.purchase_adjustment_id, a.reward_id, a.purchase_id, a.currency,
       a.signed_amount, a.snapshot::json, a.created_at, a.created_at, a.beneficiary_id
     from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
         $8::bigint[], $9::text[], $10::timestamptz[], $11::text[])
       as a (id, number, purchase_adjustment_id, reward_id, purchase_id, currency, signed_amount,
         snapshot, created_at, beneficiary_id)`,
    [
      projectId,
      rows.map((row) => row.id),
      rows.map((row) => row.number),
      rows.map((row) => row.purchaseAdjustmentId),
      rows.map((row) => row.rewardId),
      rows.map((row) => row.purchaseId),
      rows.map((row) => row.currency),
      rows.map((row) => row.signedAmountMinor),
      rows.map((row) => JSON.stringify(snapshotOf(row))),
      rows.map((row) => row.createdAt),
      rows.map((row) => row.beneficiaryParticipantId),
    ],
  );
}

export interface NumberedAdjustment extends RewardAdjustment {
  readonly number: number;
}

const ADJUSTMENT = `id, number, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", purchase_adjustment_id as "purchaseAdjustmentId",
  reward_id as "rewardId", purchase_id as "purchaseId", currency,
  signed_amount_minor::text as "signedAmountMinor",
  calculation_snapshot as "calculationSnapshot"`;

/** Null means no filter. */
export interface AdjustmentFilter {
  readonly rewardId: string | null;
  readonly participantId: string | null;
}

/** The newest ones, newest first; or those after a number, oldest first. */
export async function listRewardAdjustments(
  source: Queryable,
  projectId: string,
  { rewardId, participantId }: AdjustmentFilter,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<NumberedAdjustment[]> {
  const params: unknown[] = [projectId, limit];
  const conditions = ['project_id = $1'];
  if (rewardId !== null) conditions.push(`reward_id = $${params.push(rewardId)}`);
  if (participantId !== null)
    conditions.push(`beneficiary_participant_id = $${params.push(participantId)}`);
  if (after !== null) conditions.push(`number > $${params.push(after)}`);
  const rows = await source.query<RewardAdjustment & { number: bigint }>(
    `select ${ADJUSTMENT} from reward_adjustments
     where ${conditions.join(' and ')}
     order by number ${after === null ? 'desc' : ''} limit $2`,
    params,
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
