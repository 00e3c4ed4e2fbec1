import type { RewardRow } from '../../../domain/rewards/reward.ts';
import type { Explanation } from '../../../domain/tracking/batch/facts.ts';
import type { AdjustmentKind } from '../../../domain/tracking/billing-schema.ts';
import type { PurchaseFacts } from '../../../domain/tracking/intake/normalize-event.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { pagesOf } from './page-store.ts';

/** A reward with the event that earned it. Null where a referenced row does not exist. */
export interface AuditedReward
  extends Omit<
    RewardRow,
    'number' | 'projectId' | 'plan' | 'periods' | 'providerReference' | 'createdAt'
  > {
  readonly event: ({ readonly type: string } & AuditedParties) | null;
  /** The purchase of its event, whichever purchase the reward names. */
  readonly purchase: AuditedBase | null;
  readonly referral: {
    readonly programId: string;
    readonly referrer: string;
    readonly referee: string;
  } | null;
  readonly adjustments: readonly AuditedRewardAdjustment[] | null;
}

/** The people of an event: for a group also the actor and the creator. */
export interface AuditedParties {
  readonly participantId: string;
  readonly actorId: string | null;
  readonly creatorId: string | null;
}

/** Minor units as text, as in JSON. */
export interface AuditedBase {
  readonly id: string;
  readonly duplicateOf: string | null;
  readonly amountMinor: string;
  readonly currency: string;
  readonly currencyExponent: number;
  /** The sum of its adjustments. */
  readonly refundedTotalMinor: string | null;
  readonly disputedTotalMinor: string | null;
}

interface AuditedRewardAdjustment {
  readonly id: string;
  readonly purchaseId: string;
  readonly currency: string;
  readonly signedAmountMinor: string;
  readonly snapshot: Readonly<Record<string, unknown>>;
  /** The sum of the purchase's adjustments up to this one. */
  readonly refundedTotalMinor: string | null;
}

/** For an event e. */
const CREATOR = `(select c.actor_participant_id from signups g
  join events c on c.project_id = $1 and c.id = g.event_id
  where g.project_id = $1 and g.participant_id = e.participant_id)`;

const APPLIED = `case when a.kind = 'restoration' then -a.applied_minor else a.applied_minor end`;

/** In the order in which they were earned. */
export const listAuditedRewards = pagesOf<AuditedReward>(
  'verify_rewards',
  `select r.id, r.program_id as "programId", r.rule_id as "ruleId",
       r.terms_version_id as "termsVersionId", r.event_id as "eventId",
       r.referral_id as "referralId", r.purchase_id as "purchaseId",
       r.beneficiary_role as "beneficiaryRole",
       r.beneficiary_participant_id as "beneficiaryParticipantId",
       r.benefit_kind as "benefitKind", r.amount_minor as "amountMinor",
       r.net_amount_minor as "netAmountMinor", r.currency,
       r.currency_exponent as "currencyExponent", r.rate_bps as "rateBps",
       r.duration_mode as "durationMode", r.duration_months as "durationMonths", r.quantity,
       r.unit_id as "unitId", r.validity_days as "validityDays", r.milestone, r.method,
       r.earned_at as "earnedAt", r.available_at as "availableAt",
       r.fulfillment_status as "fulfillmentStatus", r.delivery_status as "deliveryStatus",
       r.delivery_reason as "deliveryReason", 
       r.is_disputed as "isDisputed", r.is_under_review as "isUnderReview",
       r.answered_event_id as "answeredEventId", r.paid_minor as "paidMinor",
       r.payout_id as "payoutId", r.fulfillment, r.revocation, r.void,
       r.arithmetic, r.updated_at as "updatedAt",
       case when e.id is not null then json_build_object('type', e.type,
         'participantId', e.participant_id, 'actorId', e.actor_participant_id,
         'creatorId', ${CREATOR}) end as event,
       case when f.id is not null then json_build_object('programId', f.program_id,
         'referrer', f.referrer_participant_id, 'referee', f.referee_participant_id)
         end as referral,
       (select json_build_object('id', p.id, 'duplicateOf', p.duplicate_of,
           'amountMinor', p.amount_minor::text, 'currency', p.currency,
           'currencyExponent', p.currency_exponent,
           'refundedTotalMinor', sum(${APPLIED})::text,
           'disputedTotalMinor',
             ((array_agg(a.disputed_total_minor order by a.number desc))[1])::text)
         from purchases p
         left join purchase_adjustments a on a.project_id = $1 and a.purchase_id = p.id
         -- A milestone is not of the purchase that reached it.
         where p.project_id = $1 and p.event_id = r.event_id and r.milestone is null
         group by p.project_id, p.id) as purchase,
       (select json_agg(json_build_object('id', d.id, 'purchaseId', d.purchase_id,
           'currency', d.currency, 'signedAmountMinor', d.signed_amount_minor::text,
           'snapshot', d.calculation_snapshot,
           'refundedTotalMinor', (select sum(${APPLIED})::text
             from purchase_adjustments b
             join purchase_adjustments a on a.project_id = $1 and a.purchase_id = b.purchase_id
               and a.number <= b.number
             where b.project_id = $1 and b.id = d.purchase_adjustment_id)) order by d.number)
         from reward_adjustments d
         where d.project_id = $1 and d.reward_id = r.id) as adjustments
     from rewards r
     left join events e on e.project_id = $1 and e.id = r.event_id
     left join referrals f on f.project_id = $1 and f.id = r.referral_id
     where r.project_id = $1 order by r.number`,
);

/** A purchase with all its adjustments. */
export interface AuditedPurchase {
  readonly id: string;
  readonly participantId: string;
  readonly duplicateOf: string | null;
  readonly amountMinor: bigint;
  readonly taxAmountMinor: bigint | null;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly orderId: string | null;
  readonly invoiceId: string | null;
  readonly subscriptionId: string | null;
  readonly billingReason: string | null;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
  /** As reported by the event. */
  readonly event: {
    readonly type: string;
    readonly participantId: string;
    readonly purchase: PurchaseFacts | null;
  } | null;
  /** The purchase that this one repeats. */
  readonly first: { readonly invoiceId: string | null; readonly duplicateOf: string | null } | null;
  readonly adjustments: readonly AuditedPurchaseAdjustment[] | null;
}

/** Minor units as text, as in JSON. */
export interface AuditedPurchaseAdjustment {
  readonly id: string;
  readonly kind: AdjustmentKind;
  readonly number: number;
  readonly restoresId: string | null;
  readonly closesId: string | null;
  readonly occurredAt: Instant;
  readonly rule: number;
  readonly amountMinor: string | null;
  readonly appliedMinor: string;
  readonly restoredMinor: string;
  readonly refundedTotalMinor: string;
  readonly disputedTotalMinor: string;
}

export const listAuditedPurchases = pagesOf<AuditedPurchase>(
  'verify_purchases',
  `select p.id, p.participant_id as "participantId", p.duplicate_of as "duplicateOf",
       p.amount_minor as "amountMinor", p.tax_amount_minor as "taxAmountMinor", p.currency,
       p.currency_exponent as "currencyExponent", p.order_id as "orderId",
       p.invoice_id as "invoiceId", p.subscription_id as "subscriptionId",
       p.billing_reason as "billingReason", p.refunded_minor as "refundedMinor",
       p.disputed_minor as "disputedMinor",
       case when e.id is not null then json_build_object('type', e.type,
         'participantId', e.participant_id, 'purchase', e.normalized_facts->'purchase')
         end as event,
       case when o.id is not null then json_build_object('invoiceId', o.invoice_id,
         'duplicateOf', o.duplicate_of) end as first,
       (select json_agg(json_build_object('id', a.id, 'kind', a.kind,
           'number', a.number, 'restoresId', a.restores_id, 'closesId', a.closes_id,
           'occurredAt', to_char(a.occurred_at at time zone 'UTC',
             'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'rule', a.rule, 'amountMinor', a.amount_minor::text,
           'appliedMinor', a.applied_minor::text, 'restoredMinor', a.restored_minor::text,
           'refundedTotalMinor', a.refunded_total_minor::text,
           'disputedTotalMinor', a.disputed_total_minor::text) order by a.number)
         from purchase_adjustments a
         where a.project_id = $1 and a.purchase_id = p.id) as adjustments
     from purchases p
     left join events e on e.project_id = $1 and e.id = p.event_id
     left join purchases o on o.project_id = $1 and o.id = p.duplicate_of
     where p.project_id = $1 order by p.id`,
);

/** An event with what was created from it. */
export interface AuditedEvent extends AuditedParties {
  readonly id: string;
  readonly type: string;
  readonly programId: string | null;
  readonly referralId: string | null;
  readonly processingState: string;
  readonly processingReason: string;
  readonly nextAttemptAt: Instant | null;
  readonly explanation: Explanation | null;
  readonly hasAmounts: boolean;
  /** The signup of its participant. */
  readonly signupEventId: string | null;
  /**
   * Of the referral that it was credited to, or if none is recorded, of its participant's referral.
   */
  readonly referralProgramId: string | null;
  readonly refereeId: string | null;
  readonly purchaseId: string | null;
  readonly isDuplicate: boolean;
  readonly rewardIds: readonly string[] | null;
}

export const listAuditedEvents = pagesOf<AuditedEvent>(
  'verify_events',
  `select e.id, e.type, e.participant_id as "participantId", e.program_id as "programId",
       e.referral_id as "referralId", e.actor_participant_id as "actorId",
       ${CREATOR} as "creatorId", e.processing_state as "processingState", e.processing_reason as "processingReason",
       e.next_attempt_at as "nextAttemptAt", e.explanation,
       coalesce(json_typeof(e.normalized_facts->'purchase') = 'object', false) as "hasAmounts",
       s.event_id as "signupEventId", coalesce(c.program_id, f.program_id) as "referralProgramId",
       coalesce(c.referee_participant_id, f.referee_participant_id) as "refereeId",
       p.id as "purchaseId", p.duplicate_of is not null as "isDuplicate",
       (select json_agg(r.id) from rewards r
         where r.project_id = $1 and r.event_id = e.id) as "rewardIds"
     from events e
     left join signups s on s.project_id = $1 and s.participant_id = e.participant_id
     left join referrals c on c.project_id = $1 and c.id = e.referral_id
     left join referrals f on f.project_id = $1 and f.referee_participant_id = e.participant_id
     left join purchases p on p.project_id = $1 and p.event_id = e.id
     where e.project_id = $1 order by e.number`,
);
