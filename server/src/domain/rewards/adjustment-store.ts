import type { Queryable } from '../../platform/db/driver.ts';
import { bigint, insertRows, json, text, timestamptz } from '../../platform/db/write-rows.ts';
import { snapshotOf } from './read/present.ts';
import type { RewardAdjustmentRow } from './reward.ts';
import type { RewardAdjustment } from './schema.ts';

export const insertRewardAdjustments = insertRows<RewardAdjustmentRow>('reward_adjustments', {
  id: text((row) => row.id),
  number: bigint((row) => row.number),
  purchase_adjustment_id: text((row) => row.purchaseAdjustmentId),
  reward_id: text((row) => row.rewardId),
  purchase_id: text((row) => row.purchaseId),
  currency: text((row) => row.currency),
  signed_amount_minor: bigint((row) => row.signedAmountMinor),
  calculation_snapshot: json(snapshotOf),
  created_at: timestamptz((row) => row.createdAt),
  updated_at: timestamptz((row) => row.createdAt),
  beneficiary_participant_id: text((row) => row.beneficiaryParticipantId),
});

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
  db: Queryable,
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
  const rows = await db.query<RewardAdjustment & { number: bigint }>(
    `select ${ADJUSTMENT} from reward_adjustments
     where ${conditions.join(' and ')}
     order by number ${after === null ? 'desc' : ''} limit $2`,
    params,
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
