import type { Tx } from '../../platform/db/database.ts';
import { listRows } from '../../platform/db/statements.ts';
import type { ConfigTx } from '../../platform/feed/writer/project-write.ts';
import { FIGURES, type FigureRow, toFigures } from '../../platform/figures/figure-row.ts';
import type { Figure } from '../../platform/figures/tally.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { COUNTS_IN_PERIOD } from '../rewards/reward.ts';
import type {
  Purchase,
  PurchaseCredit,
  SourceKey,
  StoredReferral,
  Touch,
  TrackedEvent,
} from './batch/facts.ts';
import type { InvoiceRef } from './batch/needs.ts';
import type { Referral, TrackAnswer } from './event-schema.ts';
import type { Source } from './schema.ts';

/** An Event with the fields of a list. */
export type EventRow = Omit<TrackedEvent, 'number'> & {
  readonly projectId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

// Read by the fold

export async function listSourceKeys(
  tx: Tx,
  projectId: string,
  keys: readonly { sourceNamespaceId: string; sourceEventId: string }[],
): Promise<SourceKey[]> {
  return tx.query<SourceKey>(
    `select k.source_namespace_id as "sourceNamespaceId", k.source_event_id as "sourceEventId",
       k.facts_hash as "factsHash", k.answer
     from unnest($2::text[], $3::text[]) as named (namespace_id, event_id)
     cross join lateral (select * from source_keys r
       where r.project_id = $1 and r.source_namespace_id = named.namespace_id
         and r.source_event_id = named.event_id offset 0) as k`,
    [projectId, keys.map((key) => key.sourceNamespaceId), keys.map((key) => key.sourceEventId)],
  );
}

export const listSignups = listRows<
  { participantId: string; answer: TrackAnswer },
  [projectId: string, participantIds: readonly string[]],
  Tx
>(`select s.participant_id as "participantId", s.answer from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from signups r
       where r.project_id = $1 and r.participant_id = asked_id offset 0) as s`);

export const REFERRAL = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", referrer_participant_id as "referrerParticipantId",
  referee_participant_id as "refereeParticipantId", enrollment_id as "enrollmentId",
  program_id as "programId", touch_id as "touchId", binding_event_id as "bindingEventId",
  binding_subscription_fact_id as "bindingSubscriptionFactId",
  binding_occurred_at as "bindingOccurredAt", selected_at as "selectedAt",
  policy_version_id as "policyVersionId"`;

const STORED_REFERRAL = `${REFERRAL}, link_id as "linkId", campaign,
  first_purchase_at as "firstPurchaseAt", review_status as "reviewStatus"`;

export const listReferralsOfReferees = listRows<
  Referral,
  [projectId: string, participantIds: readonly string[]]
>(`select ${REFERRAL} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from referrals r
       where r.project_id = $1 and r.referee_participant_id = asked_id offset 0) as found`);

export const listReferralsOfPeople = listRows<
  StoredReferral,
  [projectId: string, participantIds: readonly string[]],
  Tx
>(`select ${STORED_REFERRAL} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from referrals r
       where r.project_id = $1 and r.referee_participant_id = asked_id offset 0) as found`);

/** The referrals that these Events, each given once, were credited to, whoever they belong to. */
export const listReferralsOfEvents = listRows<
  StoredReferral,
  [projectId: string, eventIds: readonly string[]],
  Tx
>(`select ${STORED_REFERRAL} from (select distinct e.referral_id from unnest($2::text[]) as asked (asked_id)
       cross join lateral (select r.referral_id from events r
         where r.project_id = $1 and r.id = asked_id offset 0) as e) as credited
     cross join lateral (select * from referrals r
       where r.project_id = $1 and r.id = credited.referral_id offset 0) as found`);

export const TOUCH = `t.id, t.program_id as "programId", t.handle_id as "handleId",
  t.participant_id as "participantId", t.ref_code_id as "refCodeId", t.link_id as "linkId",
  t.referrer_participant_id as "referrerParticipantId", t.occurred_at as "occurredAt",
  t.utm ->> 'source' as "utmSource", t.utm ->> 'medium' as "utmMedium",
  t.utm ->> 'campaign' as "utmCampaign", t.ip_hash as "networkHash"`;

/** Number of a browser's touches considered from either end. */
const TOUCHES_MAX = 100;

interface TouchesAsked {
  readonly participantIds: readonly string[];
  readonly handleIds: readonly string[];
  readonly since: Instant;
}

/**
 * Touches of these people's browsers, and of these browsers: of each browser the newest, and the
 * oldest since `since`. There can be any number between, and the selected one is at an end. Ordered
 * only as the index is, or all would be read and sorted.
 */
export function listTouches(
  tx: Tx,
  projectId: string,
  { participantIds, handleIds, since }: TouchesAsked,
): Promise<(Touch & { readonly ownerId: string | null })[]> {
  const ofHandle = `select ${TOUCH} from touches t where t.project_id = $1 and t.handle_id = h.id`;
  return tx.query(
    `select t.*, h.identified_participant_id as "ownerId"
     from (
       select r.id, r.identified_participant_id from unnest($2::text[]) as asked (asked_id)
       cross join lateral (select * from handles r
         where r.project_id = $1 and r.identified_participant_id = asked_id offset 0) as r
       union
       select r.id, r.identified_participant_id from unnest($3::text[]) as asked (asked_id)
       cross join lateral (select * from handles r
         where r.project_id = $1 and r.id = asked_id offset 0) as r
     ) h cross join lateral (
       (${ofHandle} order by t.occurred_at desc limit ${TOUCHES_MAX})
       union
       (${ofHandle} and t.occurred_at >= $4 order by t.occurred_at limit ${TOUCHES_MAX})
     ) t`,
    [projectId, participantIds, handleIds, since],
  );
}

export const EVENT = `e.id, e.number, e.type, e.participant_id as "participantId",
  e.actor_participant_id as "actorParticipantId",
  e.source_namespace_id as "sourceNamespaceId", e.source_event_id as "sourceEventId",
  e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.normalized_facts as "facts",
  e.facts_hash as "factsHash", e.processing_state as "processingState",
  e.processing_reason as "processingReason", e.attempt_count as "attemptCount",
  e.next_attempt_at as "nextAttemptAt", e.explanation, e.program_id as "programId",
  e.referral_id as "referralId"`;

export async function listWaitingEvents(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
): Promise<TrackedEvent[]> {
  const rows = await tx.query<TrackedEvent & { number: bigint }>(
    `select ${EVENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from events r
       where r.project_id = $1 and r.participant_id = asked_id
         and r.processing_state = 'pending' offset 0) as e
     order by e.number`,
    [projectId, participantIds],
  );
  return rows.map(withNumber);
}

const withNumber = (row: TrackedEvent & { number: bigint }): TrackedEvent => ({
  ...row,
  number: Number(row.number),
});

/**
 * The signups of these people that wait for the start of a subscription, as defined by
 * `awaitsSubscription`. A start that settled one replaced its candidates.
 */
export async function listPromisedSignups(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
): Promise<TrackedEvent[]> {
  const rows = await tx.query<TrackedEvent & { number: bigint }>(
    `select ${EVENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.event_id from signups r
       where r.project_id = $1 and r.participant_id = asked_id
         and r.answer ->> 'processingReason' not in ('attributed', 'no_candidate') offset 0) as s
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = s.event_id and r.processing_reason <> 'attributed'
         and r.explanation::jsonb @> '{"candidates": [{"reason": "awaiting_subscription"}]}'
         offset 0) as e`,
    [projectId, participantIds],
  );
  return rows.map(withNumber);
}

export interface FirstEarning {
  readonly rewardId: string;
  readonly ruleId: string;
  readonly period: string;
  /** Number of the Reward. */
  readonly number: number;
  readonly occurredAt: Instant;
}

/** For each of these earning periods, given once, the first Rewards that count as given. */
export async function listFirstEarnings(
  tx: Tx,
  projectId: string,
  periods: readonly { readonly ruleId: string; readonly period: string }[],
  limit: number,
): Promise<FirstEarning[]> {
  const rows = await tx.query<Omit<FirstEarning, 'number'> & { number: bigint }>(
    `select f.id as "rewardId", asked.rule_id as "ruleId", asked.period, f.number,
       e.occurred_at as "occurredAt"
     from unnest($2::text[], $3::text[]) as asked (rule_id, period)
     cross join lateral (select r.id, r.number, r.event_id from rewards r
       where r.project_id = $1 and r.rule_id = asked.rule_id
         and coalesce(r.referral_id, r.beneficiary_participant_id) = asked.period and ${COUNTS_IN_PERIOD}
       order by r.rule_id, coalesce(r.referral_id, r.beneficiary_participant_id), r.number
       limit $4) as f
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = f.event_id offset 0) as e`,
    [projectId, periods.map(({ ruleId }) => ruleId), periods.map(({ period }) => period), limit],
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** When these Events, each given once, occurred. */
export const listOccurredAt = listRows<
  { id: string; occurredAt: Instant },
  [projectId: string, ids: readonly string[]],
  Tx
>(`select e.id, e.occurred_at as "occurredAt" from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = asked_id offset 0) as e`);

/** Those of these ids that were processed. */
export async function listDecidedEvents(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<TrackedEvent[]> {
  const rows = await tx.query<TrackedEvent & { number: bigint }>(
    `select ${EVENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = asked_id offset 0) as e
     where e.processing_state = 'processed'`,
    [projectId, ids],
  );
  return rows.map(withNumber);
}

export const PURCHASE = `p.id, p.event_id as "eventId", p.participant_id as "participantId",
  p.duplicate_of as "duplicateOf", p.amount_minor::text as "amountMinor",
  p.tax_amount_minor::text as "taxAmountMinor", p.currency,
  p.currency_exponent as "currencyExponent", p.order_id as "orderId",
  p.invoice_id as "invoiceId", p.subscription_id as "subscriptionId",
  p.billing_reason as "billingReason", p.refunded_minor as "refundedMinor",
  p.disputed_minor as "disputedMinor", p.created_at as "receivedAt",
  coalesce(p.loyalty_program_ids, '[]') as "loyaltyProgramIds"`;

/** The purchases of Events that wait. */
export const listWaitingPurchases = listRows<
  Purchase,
  [projectId: string, participantIds: readonly string[]],
  Tx
>(`select ${PURCHASE} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.id from events r
       where r.project_id = $1 and r.participant_id = asked_id
         and r.processing_state = 'pending' offset 0) as e
     cross join lateral (select * from purchases r
       where r.project_id = $1 and r.event_id = e.id offset 0) as p`);

/**
 * A paid purchase of somebody that was not fully refunded, as defined by `isPaidFor`, other than
 * some; found by the index `purchases_paid`.
 */
export const paidFor = (condition: string, except: string) =>
  `(select 1 from (select r.event_id from purchases r
     where r.project_id = $1 and r.participant_id = asked_id and r.duplicate_of is null
       and r.amount_minor > r.refunded_minor - r.disputed_minor and ${condition}
       and r.id <> all (${except}::text[]) offset 0) as p
   cross join lateral (select 1 from events r
     where r.project_id = $1 and r.id = p.event_id and r.processing_state = 'processed'
     offset 0) as e limit 1)`;

/** A purchase of somebody without an amount; found by the index `events_unpriced`. */
export const UNPRICED = `(select 1 from events e
  where e.project_id = $1 and e.participant_id = asked_id and e.type = 'purchase'
    and e.processing_state = 'processed' and e.normalized_facts ->> 'purchase' is null limit 1)`;

/**
 * Those of these people who are customers by purchases other than these, and whether they have paid something, not fully
 * refunded.
 */
export const listCustomers = listRows<
  { readonly id: string; readonly hasPaid: boolean },
  [projectId: string, participantIds: readonly string[], exceptPurchaseIds: readonly string[]],
  Tx
>(`select asked_id as id, paid.one is not null as "hasPaid" from unnest($2::text[]) as asked (asked_id)
     left join lateral ${paidFor('true', '$3')} as paid (one) on true
     left join lateral ${UNPRICED} as unpriced (one) on true
     where paid.one is not null or unpriced.one is not null`);

/**
 * Those of these purchases that were processed, with what they count for; `programId` is null if they
 * were credited to nobody. Events from before the referral was recorded were credited to their
 * participant's own.
 */
export const listDecided = listRows<
  { readonly id: string } & (PurchaseCredit | { readonly programId: null }),
  [projectId: string, purchaseIds: readonly string[]],
  Tx
>(`select p.id, f.program_id as "programId", f.referrer_participant_id as "referrerParticipantId",
       f.referee_participant_id as "refereeParticipantId", f.link_id as "linkId", f.campaign,
       f.review_status as "reviewStatus", e.received_at as "receivedAt"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.id, r.event_id from purchases r
       where r.project_id = $1 and r.id = asked_id offset 0) as p
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = p.event_id and r.processing_state = 'processed'
       offset 0) as e
     left join lateral (
       (select * from referrals r where r.project_id = $1 and r.id = e.referral_id offset 0)
       union all
       (select * from referrals r
         where r.project_id = $1 and r.referee_participant_id = e.participant_id
           and e.program_id is not null and e.referral_id is null offset 0)
     ) as f on true`);

/** The purchases of these invoices. */
export function listInvoiced(
  tx: Tx,
  projectId: string,
  invoices: readonly InvoiceRef[],
): Promise<(Purchase & { readonly invoiceId: string })[]> {
  return tx.query(
    `select ${PURCHASE}
     from unnest($2::text[], $3::text[], $4::text[], $5::text[])
       as named (named_kind, named_id, named_currency, named_invoice)
     cross join lateral (select r.id from participants r
       where r.project_id = $1 and r.kind = named_kind and r.external_id = named_id
       offset 0) as payer
     cross join lateral (select * from purchases r
       where r.project_id = $1 and r.invoice_id = named_invoice and r.participant_id = payer.id
         and r.currency = named_currency and r.duplicate_of is null offset 0) as p`,
    [
      projectId,
      invoices.map(({ participant }) => participant.kind),
      invoices.map(({ participant }) => participant.externalId),
      invoices.map(({ currency }) => currency),
      invoices.map(({ invoiceId }) => invoiceId),
    ],
  );
}

/** All figures of the owners of these codes and links: as many as the rules that they earn by. */
export async function listFiguresOfOwners(
  tx: Tx,
  projectId: string,
  names: readonly string[],
): Promise<Figure[]> {
  const rows = await tx.query<FigureRow>(
    `select ${FIGURES} from
       (select distinct c.participant_id as owner_id from unnest($2::text[]) as asked (name)
        cross join lateral (select r.ref_code_id from ref_names r
          where r.project_id = $1 and r.name = asked.name offset 0) as n
        cross join lateral (select r.participant_id from ref_codes r
          where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c) as owners
     cross join lateral (select * from figures r
       where r.project_id = $1 and r.subject = owner_id offset 0) as v`,
    [projectId, names],
  );
  return toFigures(rows);
}

/** The campaigns of a month; each subject is given once. Tab and line feed follow each other. */
export const listCampaigns = listRows<
  { subject: string; part: string },
  [projectId: string, subjects: readonly string[], month: string],
  Tx
>(`select found.subject, found.part from unnest($2::text[]) as asked (asked_subject)
     cross join lateral (select f.subject, f.part from figures f
       where f.project_id = $1 and f.subject = asked_subject
         and f.part >= $3::text || chr(9) and f.part < $3::text || chr(10) offset 0) as found`);

export function insertSource(tx: ConfigTx, source: Source): void {
  tx.send(
    `insert into sources (project_id, id, key, name, kind, enabled, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      source.projectId,
      source.id,
      source.key,
      source.name,
      source.kind,
      source.enabled,
      source.createdAt,
      source.updatedAt,
    ],
  );
}

export function updateSource(tx: ConfigTx, source: Source): void {
  tx.send(
    `update sources set name = $3, enabled = $4, updated_at = $5
     where project_id = $1 and id = $2`,
    [source.projectId, source.id, source.name, source.enabled, source.updatedAt],
  );
}
