import type { Party } from '../../../platform/feed/render-event.ts';
import type { PartyRef } from '../../../platform/feed/writer/project-write.ts';
import { formatMinor } from '../../../platform/kit/money.ts';
import type { ParticipantKind } from '../../participants/schema.ts';
import type { Unit } from '../../programs/program-book.ts';
import type { RewardAdjustmentRow, RewardRow } from '../reward.ts';
import type { Reward, RewardAdjustment } from '../schema.ts';

/** `unit` is that of a custom Reward, else null. */
export function toReward(row: RewardRow, unit: Unit | null, party: Party): Reward {
  const { participantId, kind, externalId } = party;
  return present(row, unit, { participantId, kind: kind as ParticipantKind, externalId });
}

/** The Reward as included in events: its beneficiary is filled in when an event is read. */
export function rewardData(
  row: RewardRow,
  unit: Unit | null,
): Omit<Reward, 'beneficiary'> & { readonly beneficiary: PartyRef } {
  return present(row, unit, { $party: row.beneficiaryParticipantId });
}

export function toRewardAdjustment(row: RewardAdjustmentRow): RewardAdjustment {
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    projectId: row.projectId,
    purchaseAdjustmentId: row.purchaseAdjustmentId,
    rewardId: row.rewardId,
    purchaseId: row.purchaseId,
    currency: row.currency,
    signedAmountMinor: String(row.signedAmountMinor),
    calculationSnapshot: snapshotOf(row),
  };
}

/** As stored and shown. */
export function snapshotOf({ snapshot }: RewardAdjustmentRow): Record<string, string> {
  return {
    purchaseAmountMinor: String(snapshot.purchaseAmountMinor),
    refundedTotalMinor: String(snapshot.refundedTotalMinor),
    rewardAmountMinor: String(snapshot.rewardAmountMinor),
    previousNetMinor: String(snapshot.previousNetMinor),
    newNetMinor: String(snapshot.newNetMinor),
    refundPolicy: snapshot.refundPolicy,
    roundingPolicy: snapshot.roundingPolicy,
  };
}

function present<B>(row: RewardRow, unit: Unit | null, beneficiary: B) {
  return {
    id: row.id,
    projectId: row.projectId,
    programId: row.programId,
    ruleId: row.ruleId,
    termsVersionId: row.termsVersionId,
    eventId: row.eventId,
    beneficiaryRole: row.beneficiaryRole,
    beneficiary,
    benefitKind: row.benefitKind,
    money: toMoney(row),
    discount: toDiscount(row),
    custom: toCustom(row, unit),
    tier: row.arithmetic.tier ?? null,
    milestone: row.arithmetic.milestone ?? null,
    earnedAt: row.earnedAt,
    availableAt: row.availableAt,
    fulfillmentStatus: row.fulfillmentStatus,
    fulfillment: row.fulfillment,
    revocation: row.revocation,
    delivery: {
      method: row.method,
      status: row.deliveryStatus,
      reason: row.deliveryReason,
      providerReference: row.providerReference,
    },
    void: toVoid(row.void),
  };
}

function toVoid(made: RewardRow['void']): Reward['void'] {
  if (made === null) return null;
  const { id, reasonCode, reason, voidedAt } = made;
  return { id, reasonCode, reason, voidedAt };
}

function toMoney(row: RewardRow): Reward['money'] {
  const { amountMinor, netAmountMinor, currency, currencyExponent } = row;
  if (amountMinor === null || netAmountMinor === null) return null;
  if (currency === null || currencyExponent === null) return null;
  return {
    amountMinor: formatMinor(amountMinor),
    netAmountMinor: formatMinor(netAmountMinor),
    currency,
    currencyExponent,
  };
}

function toDiscount({ rateBps, durationMode, durationMonths }: RewardRow): Reward['discount'] {
  if (rateBps === null || durationMode === null) return null;
  return { rateBps, durationMode, durationMonths };
}

function toCustom(row: RewardRow, unit: Unit | null): Reward['custom'] {
  const { quantity, validityDays, plan, periods } = row;
  if (quantity === null) return null;
  if (unit === null) throw new Error(`Reward ${row.id} has no unit.`);
  return {
    quantity,
    customUnitId: unit.id,
    unitKey: unit.key,
    unitName: unit.name,
    unitNamePlural: unit.namePlural,
    validityDays,
    plan,
    periods,
  };
}
