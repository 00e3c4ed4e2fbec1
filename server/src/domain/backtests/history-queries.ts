import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, listRows } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ProgramStart } from '../participants/schema.ts';
import type { RiskFacts } from '../risk/decide/risk-facts.ts';
import type { EnrollmentSpan } from '../tracking/batch/facts.ts';
import type { AdjustmentKind } from '../tracking/billing-schema.ts';
import type { Source } from '../tracking/schema.ts';
import type { PastEvent, PastReview, PastReward, PastStart, PastTouch } from './decide/history.ts';

// The stored facts of a Project, in pages: in the order in which they were taken. Nothing here locks.

/** Where a Project's history ended when it was asked. */
export interface HistoryEnd {
  readonly events: number;
  readonly adjustments: number;
  readonly at: Instant;
}

export const findHistoryEnd = findRow<HistoryEnd, [projectId: string]>(
  `select coalesce((numbers ->> 'events')::integer, 0) as events,
     coalesce((numbers ->> 'purchaseAdjustments')::integer, 0) as adjustments, last_at as at
   from project_heads where project_id = $1`,
);

export type EventRow = Omit<
  PastEvent,
  'number' | 'code' | 'early' | 'risk' | 'rewards' | 'review'
> & {
  readonly number: bigint;
  readonly riskFacts: Partial<RiskFacts> | null;
  /** By an erasure. */
  readonly isBlanked: boolean;
  /** Of the referral that was judged. */
  readonly referrerId: string | null;
  /** The review that it opened. */
  readonly reviewId: string | null;
};

/**
 * Whether facts of somebody are needed where only referrals earn: there is a code that they sent or a click of theirs, so
 * somebody may have referred them. A group may be credited by what its members did, so groups and those who act for them
 * are always needed. Each `offset` keeps a look into one index: without statistics the planner would walk all groups.
 */
const isPersonNeeded = (id: string) => `(
    exists (select from touches r where r.project_id = $1 and r.participant_id = ${id} offset 0)
    or exists (select from handles h
      cross join lateral (select from touches r
        where r.project_id = $1 and r.handle_id = h.id limit 1) as t
      where h.project_id = $1 and h.identified_participant_id = ${id} offset 0)
    or exists (select from events r
      where r.project_id = $1 and r.actor_participant_id = ${id} offset 0)
    or exists (select from (select r.kind from participants r
      where r.project_id = $1 and r.id = ${id} offset 0) as p where p.kind = 'group'))`;

const isEventNeeded = (event: string) =>
  `(${event}.referral_id is not null or ${isPersonNeeded(`${event}.participant_id`)})`;

/** Events after a number, up to another: all of them, or those that are needed where only referrals earn. */
export const listPastEvents = listRows<
  EventRow,
  [projectId: string, after: number, last: number, limit: number, needsAll: boolean]
>(`select e.id, e.number, e.type, e.participant_id as "participantId",
       e.actor_participant_id as "actorParticipantId",
       e.source_namespace_id as "sourceNamespaceId", e.source_event_id as "sourceEventId",
       e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.normalized_facts as facts,
       e.updated_at as "writtenAt", e.processing_state as state,
       p.id as "purchaseId", p.duplicate_of as "duplicateOf",
       coalesce(p.adjustments, 0) as adjustments,
       f.binding_event_id is not distinct from e.id and e.type <> 'signup' as "isImport",
       e.facts_hash = '' as "isBlanked",
       e.explanation #> '{risk,facts}' as "riskFacts",
       e.explanation #>> '{risk,reviewId}' as "reviewId", f.referrer_participant_id as "referrerId"
     from (select * from events e where e.project_id = $1 and e.number > $2 and e.number <= $3
       and ($5 or ${isEventNeeded('e')}) order by e.number limit $4) as e
     left join lateral (select r.id, r.duplicate_of, (select count(*)::integer
         from purchase_adjustments a
         where a.project_id = $1 and a.purchase_id = r.id) as adjustments
       from purchases r where r.project_id = $1 and r.event_id = e.id offset 0) as p
       on e.type = 'purchase'
     left join lateral (select r.referrer_participant_id, r.binding_event_id from referrals r
       where r.project_id = $1 and r.id = e.referral_id offset 0) as f on true
     order by e.number`);

/** How many Events after a number, up to another, occurred in a time and are decided. */
export const countDecided = findRow<
  { readonly decided: number },
  [projectId: string, after: number, last: number, from: Instant, to: Instant]
>(`select count(*)::integer as decided from events where project_id = $1 and number > $2
     and number <= $3 and occurred_at >= $4 and occurred_at < $5 and processing_state = 'processed'`);

export interface AdjustmentRow {
  readonly id: string;
  readonly number: bigint;
  readonly purchaseId: string;
  readonly eventId: string;
  readonly kind: AdjustmentKind;
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
  readonly amountMinor: bigint | null;
  readonly restoresNamespaceId: string | null;
  readonly restoresEventId: string | null;
  readonly closesNamespaceId: string | null;
  readonly closesEventId: string | null;
  readonly occurredAt: Instant;
  readonly receivedAt: Instant;
}

const ADJUSTMENT = `a.id, a.number, a.purchase_id as "purchaseId", e.id as "eventId", a.kind,
  a.source_namespace_id as "sourceNamespaceId", a.source_event_id as "sourceEventId",
  a.amount_minor as "amountMinor", restored.source_namespace_id as "restoresNamespaceId",
  restored.source_event_id as "restoresEventId", closed.source_namespace_id as "closesNamespaceId",
  closed.source_event_id as "closesEventId", a.occurred_at as "occurredAt",
  a.received_at as "receivedAt"`;
const REFERRED_TO = `left join lateral (select r.source_namespace_id, r.source_event_id
    from purchase_adjustments r where r.project_id = $1 and r.id = a.restores_id offset 0)
    as restored on true
  left join lateral (select r.source_namespace_id, r.source_event_id
    from purchase_adjustments r where r.project_id = $1 and r.id = a.closes_id offset 0)
    as closed on true`;
/** Whether it waited for its purchase: it has the older id, and was applied at the same time. */
const IS_EARLY = `a.received_at = e.received_at
  and substring(a.id from position('_' in a.id)) < substring(e.id from position('_' in e.id))`;

/** Adjustments after a number, up to another, and whether they waited for their purchase. */
export const listPastAdjustments = listRows<
  AdjustmentRow & { readonly isEarly: boolean; readonly isNeeded: boolean },
  [projectId: string, after: number, last: number, limit: number]
>(`select ${ADJUSTMENT}, ${IS_EARLY} as "isEarly", ${isEventNeeded('e')} as "isNeeded"
     from (select * from purchase_adjustments r
       where r.project_id = $1 and r.number > $2 and r.number <= $3
       order by r.number limit $4) as a
     cross join lateral (select r.event_id from purchases r
       where r.project_id = $1 and r.id = a.purchase_id offset 0) as p
     cross join lateral (select r.id, r.received_at, r.participant_id, r.referral_id
         from events r
       where r.project_id = $1 and r.id = p.event_id offset 0) as e
     ${REFERRED_TO} order by a.number`);

/** Those that waited for these purchases. */
export const listEarlyAdjustments = listRows<
  AdjustmentRow,
  [projectId: string, purchaseIds: readonly string[]]
>(`select ${ADJUSTMENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from purchase_adjustments r
       where r.project_id = $1 and r.purchase_id = asked_id offset 0) as a
     cross join lateral (select r.event_id from purchases r
       where r.project_id = $1 and r.id = a.purchase_id offset 0) as p
     cross join lateral (select r.id, r.received_at from events r
       where r.project_id = $1 and r.id = p.event_id offset 0) as e
     ${REFERRED_TO} where ${IS_EARLY} order by a.number`);

/** Starts of subscriptions, by id. */
export const listPastStarts = listRows<
  PastStart & { readonly isNeeded: boolean },
  [projectId: string, after: string, until: Instant, limit: number]
>(`select id, participant_id as "participantId", source_namespace_id as "sourceNamespaceId",
     source_event_id as "sourceEventId", subscription_id as "subscriptionId",
     plan_key as "planKey", period_start as "periodStart", period_end as "periodEnd",
     occurred_at as "occurredAt", received_at as "receivedAt",
     ${isPersonNeeded('s.participant_id')} as "isNeeded"
   from (select * from subscription_facts r where r.project_id = $1 and r.id > $2
       and r.change = 'started' order by r.id limit $4) as s
   where received_at <= $3 order by id`);

export type TypedCode = PastTouch & { readonly createdAt: Instant };

const TOUCH = `t.id, t.program_id as "programId", t.handle_id as "handleId",
  t.participant_id as "participantId", t.ref_code_id as "refCodeId", t.link_id as "linkId",
  t.referrer_participant_id as "referrerParticipantId", t.occurred_at as "occurredAt",
  null::text as "utmSource", null::text as "utmMedium", null::text as "utmCampaign",
  t.ip_hash as "networkHash"`;

/** Codes that these people sent with a signup, or that an import named. */
export const listTypedCodes = listRows<
  TypedCode,
  [projectId: string, participantIds: readonly string[]]
>(`select ${TOUCH}, t.participant_id as "ownerId", t.created_at as "knownAt",
     t.created_at as "createdAt"
   from unnest($2::text[]) as asked (asked_id)
   cross join lateral (select * from touches r
     where r.project_id = $1 and r.participant_id = asked_id offset 0) as t`);

/** Clicks of a browser that are read: as many as decisions consider from either end. */
const CLICKS_MAX = 200;

/** The clicks of the browsers of these people. */
export const listPastClicks = listRows<
  PastTouch,
  [projectId: string, participantIds: readonly string[]]
>(`select ${TOUCH}, h.owner_id as "ownerId", greatest(h.identified_at, t.created_at) as "knownAt"
   from (select r.id, r.identified_participant_id as owner_id, r.identified_at
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from handles r
       where r.project_id = $1 and r.identified_participant_id = asked_id offset 0) as r) as h
   cross join lateral (select * from touches r where r.project_id = $1 and r.handle_id = h.id
     order by r.occurred_at desc limit ${CLICKS_MAX}) as t`);

/** Rewards of these Events. */
export const listPastRewards = listRows<
  PastReward,
  [projectId: string, eventIds: readonly string[]]
>(`select r.id, r.program_id as "programId", r.rule_id as "ruleId", r.event_id as "eventId",
     r.beneficiary_participant_id as "beneficiaryParticipantId", r.benefit_kind as "benefitKind",
     r.net_amount_minor as "netAmountMinor", r.currency, r.quantity, r.unit_id as "unitId",
     r.earned_at as "earnedAt", r.fulfillment_status as "fulfillmentStatus", r.fulfillment,
     r.revocation, r.void, r.milestone_at as "milestoneAt",
     coalesce(r.void ->> 'reasonCode' = 'fraud'
       and (r.void ->> 'voidedAt')::timestamptz >= v.decided_at, false) as "isVoidedByReview"
   from unnest($2::text[]) as asked (asked_id)
   cross join lateral (select * from rewards r
     where r.project_id = $1 and r.event_id = asked_id offset 0) as r
   left join lateral (select v.decided_at from risk_reviews v
     where v.project_id = $1 and v.referral_id = r.referral_id and v.status = 'rejected'
     offset 0) as v on r.void is not null
   order by r.number`);

/** These reviews. */
export const listPastReviews = listRows<
  PastReview & { readonly id: string },
  [projectId: string, ids: readonly string[]]
>(`select v.id, v.referee_participant_id as "refereeId", v.status, v.decided_at as "decidedAt"
   from unnest($2::text[]) as asked (asked_id)
   cross join lateral (select * from risk_reviews r
     where r.project_id = $1 and r.id = asked_id offset 0) as v`);

export interface PersonRow {
  readonly id: string;
  readonly kind: 'individual' | 'group';
  readonly externalId: string | null;
  readonly createdAt: Instant;
  readonly deletedAt: Instant | null;
  readonly suspendedAt: Instant | null;
  readonly starts: readonly ProgramStart[] | null;
  readonly enrollments: readonly EnrollmentSpan[];
}

const listPersonRows = listRows<
  Omit<PersonRow, 'enrollments'>,
  [projectId: string, ids: readonly string[]]
>(`select p.id, p.kind, p.external_id as "externalId", p.created_at as "createdAt", p.deleted_at as "deletedAt",
     p.suspended_at as "suspendedAt", p.starting_measures as starts
   from unnest($2::text[]) as asked (asked_id)
   cross join lateral (select * from participants r
     where r.project_id = $1 and r.id = asked_id offset 0) as p`);

const listSpans = listRows<
  EnrollmentSpan,
  [projectId: string, ids: readonly string[]]
>(`select e.id, e.participant_id as "participantId", e.program_id as "programId",
     e.starts_at as "startsAt", e.ends_at as "endsAt"
   from unnest($2::text[]) as asked (asked_id)
   cross join lateral (select * from enrollments r
     where r.project_id = $1 and r.participant_id = asked_id offset 0) as e`);

/** These people, each named once, with where they take part. */
export async function listPastPeople(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<PersonRow[]> {
  if (ids.length === 0) return [];
  const [people, spans] = await Promise.all([
    listPersonRows(db, projectId, ids),
    listSpans(db, projectId, ids),
  ]);
  const spansOf = new Map<string, EnrollmentSpan[]>();
  for (const span of spans) {
    spansOf.set(span.participantId, [...(spansOf.get(span.participantId) ?? []), span]);
  }
  return people.map((one) => ({ ...one, enrollments: spansOf.get(one.id) ?? [] }));
}

export const listPastSources = listRows<Source, [projectId: string]>(
  `select id, project_id as "projectId", key, name, kind, enabled, created_at as "createdAt",
     updated_at as "updatedAt" from sources where project_id = $1`,
);
