import type { ListedParticipant } from '../../domain/participants/schema.ts';
import type { PartnerApplication } from '../../domain/partners/schema.ts';
import type { Reward, RewardAdjustment } from '../../domain/rewards/schema.ts';
import type { Event, ListedReferral } from '../../domain/tracking/event-schema.ts';
import type { Payout, PayoutBatch } from '../../outbound/payouts/schema.ts';
import type { Delivery } from '../../outbound/webhooks/deliveries/delivery-schema.ts';
import type { Columns } from './csv-file.ts';

export const PARTICIPANTS: Columns<ListedParticipant> = {
  id: (row) => row.id,
  kind: (row) => row.kind,
  external_id: (row) => row.externalId,
  name: (row) => row.name,
  email: (row) => row.email,
  billing_id: (row) => row.billingId,
  partner_id: (row) => row.partnerId,
  is_referrer: (row) => row.isReferrer,
  is_referee: (row) => row.isReferee,
  created_at: (row) => row.createdAt,
  updated_at: (row) => row.updatedAt,
  deleted_at: (row) => row.deletedAt,
  starting_measures: (row) =>
    row.startingMeasures.length === 0 ? null : JSON.stringify(row.startingMeasures),
};

export const REFERRALS: Columns<ListedReferral> = {
  id: (row) => row.id,
  program_id: (row) => row.programId,
  referrer_participant_id: (row) => row.referrerParticipantId,
  referrer_kind: (row) => row.referrer.kind,
  referrer_external_id: (row) => row.referrer.externalId,
  referee_participant_id: (row) => row.refereeParticipantId,
  referee_kind: (row) => row.referee.kind,
  referee_external_id: (row) => row.referee.externalId,
  enrollment_id: (row) => row.enrollmentId,
  touch_id: (row) => row.touchId,
  binding_event_id: (row) => row.bindingEventId,
  binding_subscription_fact_id: (row) => row.bindingSubscriptionFactId,
  binding_occurred_at: (row) => row.bindingOccurredAt,
  selected_at: (row) => row.selectedAt,
  policy_version_id: (row) => row.policyVersionId,
};

type PurchaseFacts = Readonly<Record<string, string | number | null>>;

const purchaseOf = ({ normalizedFacts }: Event) =>
  (normalizedFacts.purchase ?? {}) as PurchaseFacts;
const purchaseCell = (field: string) => (row: Event) => purchaseOf(row)[field] ?? null;

export const EVENTS: Columns<Event> = {
  id: (row) => row.id,
  type: (row) => row.type,
  participant_id: (row) => row.participantId,
  actor_participant_id: (row) => row.actorParticipantId,
  source_namespace_id: (row) => row.sourceNamespaceId,
  source_event_id: (row) => row.sourceEventId,
  occurred_at: (row) => row.occurredAt,
  received_at: (row) => row.receivedAt,
  processing_state: (row) => row.processingState,
  processing_reason: (row) => row.processingReason,
  amount_minor: purchaseCell('amountMinor'),
  tax_amount_minor: purchaseCell('taxAmountMinor'),
  currency: purchaseCell('currency'),
  currency_exponent: purchaseCell('currencyExponent'),
  order_id: purchaseCell('orderId'),
  invoice_id: purchaseCell('invoiceId'),
  subscription_id: purchaseCell('subscriptionId'),
  properties: (row) => JSON.stringify(row.normalizedFacts.properties ?? {}),
};

export const REWARDS: Columns<Reward> = {
  id: (row) => row.id,
  program_id: (row) => row.programId,
  rule_id: (row) => row.ruleId,
  terms_version_id: (row) => row.termsVersionId,
  event_id: (row) => row.eventId,
  beneficiary_role: (row) => row.beneficiaryRole,
  beneficiary_participant_id: (row) => row.beneficiary.participantId,
  beneficiary_kind: (row) => row.beneficiary.kind,
  beneficiary_external_id: (row) => row.beneficiary.externalId,
  benefit_kind: (row) => row.benefitKind,
  amount_minor: (row) => row.money?.amountMinor ?? null,
  net_amount_minor: (row) => row.money?.netAmountMinor ?? null,
  currency: (row) => row.money?.currency ?? null,
  currency_exponent: (row) => row.money?.currencyExponent ?? null,
  rate_bps: (row) => row.discount?.rateBps ?? null,
  quantity: (row) => row.custom?.quantity ?? null,
  unit_key: (row) => row.custom?.unitKey ?? null,
  earned_at: (row) => row.earnedAt,
  available_at: (row) => row.availableAt,
  fulfillment_status: (row) => row.fulfillmentStatus,
  delivery_method: (row) => row.delivery.method,
  delivery_status: (row) => row.delivery.status,
  delivery_reason: (row) => row.delivery.reason,
  provider_reference: (row) => row.delivery.providerReference,
  granted_at: (row) => row.fulfillment?.occurredAt ?? null,
  grant_reference: (row) => row.fulfillment?.externalReference ?? null,
  taken_back_at: (row) => row.revocation?.occurredAt ?? null,
  voided_at: (row) => row.void?.voidedAt ?? null,
  void_reason_code: (row) => row.void?.reasonCode ?? null,
  void_reason: (row) => row.void?.reason ?? null,
  tier_measure: (row) => row.tier?.measure ?? null,
  tier_window: (row) => row.tier?.window ?? null,
  tier_value: (row) => row.tier?.value ?? null,
  tier_carried: (row) => row.tier?.carried ?? null,
  tier_from: (row) => row.tier?.from ?? null,
  milestone_measure: (row) => row.milestone?.measure ?? null,
  milestone_value: (row) => row.milestone?.value ?? null,
  milestone_carried: (row) => row.milestone?.carried ?? null,
  milestone_at: (row) => row.milestone?.at ?? null,
  milestone_multiple: (row) => row.milestone?.multiple ?? null,
  tier_rejected: (row) => row.tier?.rejected ?? null,
  milestone_rejected: (row) => row.milestone?.rejected ?? null,
};

export const REWARD_ADJUSTMENTS: Columns<RewardAdjustment> = {
  id: (row) => row.id,
  reward_id: (row) => row.rewardId,
  purchase_id: (row) => row.purchaseId,
  purchase_adjustment_id: (row) => row.purchaseAdjustmentId,
  signed_amount_minor: (row) => row.signedAmountMinor,
  currency: (row) => row.currency,
  created_at: (row) => row.createdAt,
};

export const PAYOUTS: Columns<Payout> = {
  id: (row) => row.id,
  batch_id: (row) => row.batchId,
  status: (row) => row.status,
  method: (row) => row.method,
  amount_minor: (row) => row.amountMinor,
  currency: (row) => row.currency,
  currency_exponent: (row) => row.currencyExponent,
  beneficiary_participant_id: (row) => row.rewards[0]?.beneficiary.participantId ?? null,
  beneficiary_external_id: (row) => row.rewards[0]?.beneficiary.externalId ?? null,
  reward_count: (row) => row.rewards.length,
  provider_reference: (row) => row.providerReference,
  created_at: (row) => row.createdAt,
  paid_at: (row) => row.paidAt,
  failure_reason: (row) => row.failureReason,
  failure_message: (row) => row.failureMessage,
};

export const PAYOUT_BATCHES: Columns<PayoutBatch> = {
  id: (row) => row.id,
  status: (row) => row.status,
  method: (row) => row.method,
  currency: (row) => row.currency,
  totals: (row) =>
    row.totals.map(({ currency, amountMinor }) => `${amountMinor} ${currency}`).join('; '),
  payout_count: (row) => row.totals.reduce((sum, { payoutCount }) => sum + payoutCount, 0),
  cutoff_at: (row) => row.cutoffAt,
  created_by: (row) => row.createdBy,
  created_at: (row) => row.createdAt,
  approved_by: (row) => row.approvedBy,
  approved_at: (row) => row.approvedAt,
  submitted_at: (row) => row.submittedAt,
  cancelled_at: (row) => row.cancelledAt,
};

export const PARTNER_APPLICATIONS: Columns<PartnerApplication> = {
  id: (row) => row.id,
  program_id: (row) => row.programId,
  status: (row) => row.status,
  name: (row) => row.name,
  email: (row) => row.email,
  email_verified_at: (row) => row.emailVerifiedAt,
  profile_type: (row) => row.profileType,
  company_name: (row) => row.companyName,
  country: (row) => row.country,
  website: (row) => row.website,
  message: (row) => row.message,
  created_at: (row) => row.createdAt,
  decided_at: (row) => row.decidedAt,
  decided_by: (row) => row.decidedBy,
  rejection_reason: (row) => row.rejectionReason,
  participant_id: (row) => row.participantId,
};

export const WEBHOOK_DELIVERIES: Columns<Delivery> = {
  event_id: (row) => row.eventId,
  event_type: (row) => row.eventType,
  occurred_at: (row) => row.occurredAt,
  status: (row) => row.status,
  attempt_count: (row) => row.attemptCount,
  next_attempt_at: (row) => row.nextAttemptAt,
  last_attempt_at: (row) => row.lastAttempt?.startedAt ?? null,
  last_response_status: (row) => row.lastAttempt?.responseStatus ?? null,
  last_failure: (row) => row.lastAttempt?.failure?.reason ?? null,
};
