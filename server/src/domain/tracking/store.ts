import {
  bigint,
  type Columns,
  integer,
  json,
  text,
  timestamptz,
} from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { insertRows } from '../../platform/db/insert-rows.ts';
import { updateRows } from '../../platform/db/update-rows.ts';
import type { Figure } from '../../platform/figures/tally.ts';
import { addMs, type Instant } from '../../platform/kit/instant.ts';
import { COUNTS_AS_GIVEN } from '../rewards/decide/counts-as-given.ts';
import type { Purchase, SourceKey, Touch, TrackedEvent } from './batch/facts.ts';
import type { InvoiceRef } from './batch/needs.ts';
import type { Referral, TrackAnswer } from './event-schema.ts';

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

export function listSignups(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
): Promise<{ participantId: string; answer: TrackAnswer }[]> {
  return tx.query(
    `select s.participant_id as "participantId", s.answer from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from signups r
       where r.project_id = $1 and r.participant_id = asked_id offset 0) as s`,
    [projectId, participantIds],
  );
}

export const REFERRAL = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", referrer_participant_id as "referrerParticipantId",
  referee_participant_id as "refereeParticipantId", enrollment_id as "enrollmentId",
  program_id as "programId", touch_id as "touchId", binding_event_id as "bindingEventId",
  binding_subscription_fact_id as "bindingSubscriptionFactId",
  binding_occurred_at as "bindingOccurredAt", selected_at as "selectedAt",
  policy_version_id as "policyVersionId"`;

export function listReferralsOfReferees(
  source: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<Referral[]> {
  return source.query<Referral>(
    `select ${REFERRAL} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from referrals r
       where r.project_id = $1 and r.referee_participant_id = asked_id offset 0) as found`,
    [projectId, participantIds],
  );
}

/**
 * Each with whether a purchase was credited to it: referrals from before Events recorded theirs are
 * the referee's own.
 */
export function listReferralsOfPeople(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
): Promise<(Referral & { readonly isCredited: boolean })[]> {
  const bought = (condition: string) =>
    `(select true from events e where e.project_id = $1 and e.type = 'purchase'
       and e.processing_state = 'processed' and ${condition} limit 1)`;
  return tx.query(
    `select ${REFERRAL}, coalesce(${bought('e.referral_id = found.id')},
         ${bought(`e.participant_id = found.referee_participant_id
           and e.program_id is not null and e.referral_id is null`)}, false) as "isCredited"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from referrals r
       where r.project_id = $1 and r.referee_participant_id = asked_id offset 0) as found`,
    [projectId, participantIds],
  );
}

/** The referrals that these Events, each given once, were credited to, whoever they belong to. */
export function listReferralsOfEvents(
  tx: Tx,
  projectId: string,
  eventIds: readonly string[],
): Promise<Referral[]> {
  return tx.query<Referral>(
    `select ${REFERRAL} from (select distinct e.referral_id from unnest($2::text[]) as asked (asked_id)
       cross join lateral (select r.referral_id from events r
         where r.project_id = $1 and r.id = asked_id offset 0) as e) as credited
     cross join lateral (select * from referrals r
       where r.project_id = $1 and r.id = credited.referral_id offset 0) as found`,
    [projectId, eventIds],
  );
}

export const TOUCH = `t.id, t.program_id as "programId", t.handle_id as "handleId",
  t.participant_id as "participantId", t.ref_code_id as "refCodeId", t.link_id as "linkId",
  t.referrer_participant_id as "referrerParticipantId", t.occurred_at as "occurredAt"`;

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
         and coalesce(r.referral_id, r.beneficiary_participant_id) = asked.period and ${COUNTS_AS_GIVEN}
       order by r.rule_id, coalesce(r.referral_id, r.beneficiary_participant_id), r.number
       limit $4) as f
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = f.event_id offset 0) as e`,
    [projectId, periods.map(({ ruleId }) => ruleId), periods.map(({ period }) => period), limit],
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** When these Events, each given once, occurred. */
export function listOccurredAt(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<{ id: string; occurredAt: Instant }[]> {
  return tx.query(
    `select e.id, e.occurred_at as "occurredAt" from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from events r
       where r.project_id = $1 and r.id = asked_id offset 0) as e`,
    [projectId, ids],
  );
}

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
  p.disputed_minor as "disputedMinor"`;

/** The purchases of Events that wait. */
export function listWaitingPurchases(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
): Promise<Purchase[]> {
  return tx.query<Purchase>(
    `select ${PURCHASE} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.id from events r
       where r.project_id = $1 and r.participant_id = asked_id
         and r.processing_state = 'pending' offset 0) as e
     cross join lateral (select * from purchases r
       where r.project_id = $1 and r.event_id = e.id offset 0) as p`,
    [projectId, participantIds],
  );
}

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

/** Those of these people who have paid something, not fully refunded, by purchases other than these. */
export async function listCustomers(
  tx: Tx,
  projectId: string,
  participantIds: readonly string[],
  exceptPurchaseIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select asked_id as id from unnest($2::text[]) as asked (asked_id)
     cross join lateral (${paidFor('true', '$3')} union all ${UNPRICED} limit 1) as bought`,
    [projectId, participantIds, exceptPurchaseIds],
  );
  return rows.map(({ id }) => id);
}

/** Those of these purchases that were processed. */
export async function listDecided(
  tx: Tx,
  projectId: string,
  purchaseIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select p.id from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select r.id, r.event_id from purchases r
       where r.project_id = $1 and r.id = asked_id offset 0) as p
     cross join lateral (select 1 from events r
       where r.project_id = $1 and r.id = p.event_id and r.processing_state = 'processed'
       offset 0) as e`,
    [projectId, purchaseIds],
  );
  return rows.map(({ id }) => id);
}

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
  const rows = await tx.query<Omit<Figure, 'value'> & { value: string }>(
    `select v.subject, v.name, v.value::text as value, v.first_at as "firstAt" from
       (select distinct c.participant_id as owner_id from unnest($2::text[]) as asked (name)
        cross join lateral (select r.ref_code_id from ref_names r
          where r.project_id = $1 and r.name = asked.name offset 0) as n
        cross join lateral (select r.participant_id from ref_codes r
          where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c) as owners
     cross join lateral (select * from counters r
       where r.project_id = $1 and r.subject = owner_id offset 0) as v`,
    [projectId, names],
  );
  return rows.map((row) => ({ ...row, value: BigInt(row.value) }));
}

// Written by the fold

type DecidedEvent = Omit<TrackedEvent, 'number'>;

const EVENT_ID: Columns<DecidedEvent> = { id: text((event) => event.id) };
const EVENT_OUTCOME: Columns<DecidedEvent> = {
  processing_state: text((event) => event.processingState),
  processing_reason: text((event) => event.processingReason),
  attempt_count: integer((event) => event.attemptCount),
  next_attempt_at: timestamptz((event) => event.nextAttemptAt),
  explanation: json((event) => event.explanation),
  program_id: text((event) => event.programId),
  referral_id: text((event) => event.referralId),
};

const insertEventRows = insertRows<TrackedEvent>('events', {
  ...EVENT_ID,
  number: bigint((event) => event.number),
  type: text((event) => event.type),
  participant_id: text((event) => event.participantId),
  actor_participant_id: text((event) => event.actorParticipantId),
  source_namespace_id: text((event) => event.sourceNamespaceId),
  source_event_id: text((event) => event.sourceEventId),
  occurred_at: timestamptz((event) => event.occurredAt),
  normalized_facts: json((event) => event.facts),
  facts_hash: text((event) => event.factsHash),
  ...EVENT_OUTCOME,
});

export function insertEvents(
  tx: Tx,
  projectId: string,
  now: Instant,
  events: readonly TrackedEvent[],
): void {
  insertEventRows(tx, projectId, events, { received_at: now, created_at: now, updated_at: now });
}

const updateEventRows = updateRows('events', EVENT_ID, EVENT_OUTCOME);

/** What became of Events from before. */
export function updateEvents(
  tx: Tx,
  projectId: string,
  now: Instant,
  events: readonly DecidedEvent[],
): void {
  updateEventRows(tx, projectId, events, { updated_at: now });
}

export const insertSourceKeys = insertRows<SourceKey>('source_keys', {
  source_namespace_id: text((key) => key.sourceNamespaceId),
  source_event_id: text((key) => key.sourceEventId),
  facts_hash: text((key) => key.factsHash),
  answer: json((key) => key.answer),
});

interface Signup {
  readonly participantId: string;
  readonly eventId: string;
  readonly answer: TrackAnswer;
}

export const insertSignups = insertRows<Signup>('signups', {
  participant_id: text((signup) => signup.participantId),
  event_id: text((signup) => signup.eventId),
  answer: json((signup) => signup.answer),
});

const insertPurchaseRows = insertRows<Purchase>('purchases', {
  id: text((purchase) => purchase.id),
  event_id: text((purchase) => purchase.eventId),
  participant_id: text((purchase) => purchase.participantId),
  duplicate_of: text((purchase) => purchase.duplicateOf),
  amount_minor: bigint((purchase) => purchase.amountMinor),
  tax_amount_minor: bigint((purchase) => purchase.taxAmountMinor),
  currency: text((purchase) => purchase.currency),
  currency_exponent: integer((purchase) => purchase.currencyExponent),
  order_id: text((purchase) => purchase.orderId),
  invoice_id: text((purchase) => purchase.invoiceId),
  subscription_id: text((purchase) => purchase.subscriptionId),
  billing_reason: text((purchase) => purchase.billingReason),
  refunded_minor: bigint((purchase) => purchase.refundedMinor),
  disputed_minor: bigint((purchase) => purchase.disputedMinor),
});

export function insertPurchases(
  tx: Tx,
  projectId: string,
  now: Instant,
  purchases: readonly Purchase[],
): void {
  insertPurchaseRows(tx, projectId, purchases, { created_at: now });
}

const NO_UTM = JSON.stringify({
  source: null,
  medium: null,
  campaign: null,
  term: null,
  content: null,
});

const insertTouchRows = insertRows<Touch & { readonly expiresAt: Instant }>('touches', {
  id: text((touch) => touch.id),
  program_id: text((touch) => touch.programId),
  participant_id: text((touch) => touch.participantId),
  ref_code_id: text((touch) => touch.refCodeId),
  link_id: text((touch) => touch.linkId),
  referrer_participant_id: text((touch) => touch.referrerParticipantId),
  occurred_at: timestamptz((touch) => touch.occurredAt),
  expires_at: timestamptz((touch) => touch.expiresAt),
});

/** Codes sent with a signup: touches without a browser. */
export function insertCodeTouches(
  tx: Tx,
  projectId: string,
  touches: readonly Touch[],
  { now, lifeMs }: { readonly now: Instant; readonly lifeMs: number },
): void {
  const rows = touches.map((touch) => ({ ...touch, expiresAt: addMs(touch.occurredAt, lifeMs) }));
  const shared = { source: 'ref_code', utm: NO_UTM, created_at: now, updated_at: now };
  insertTouchRows(tx, projectId, rows, shared);
}

export const insertReferrals = insertRows<Referral>('referrals', {
  id: text((referral) => referral.id),
  referrer_participant_id: text((referral) => referral.referrerParticipantId),
  referee_participant_id: text((referral) => referral.refereeParticipantId),
  enrollment_id: text((referral) => referral.enrollmentId),
  program_id: text((referral) => referral.programId),
  touch_id: text((referral) => referral.touchId),
  binding_event_id: text((referral) => referral.bindingEventId),
  binding_subscription_fact_id: text((referral) => referral.bindingSubscriptionFactId),
  binding_occurred_at: timestamptz((referral) => referral.bindingOccurredAt),
  selected_at: timestamptz((referral) => referral.selectedAt),
  policy_version_id: text((referral) => referral.policyVersionId),
  created_at: timestamptz((referral) => referral.selectedAt),
  updated_at: timestamptz((referral) => referral.selectedAt),
});

/**
 * People with due purchases, over all Projects: at most `limit` by real time, and as many whose
 * Project's clock was moved ahead of it. Oldest first.
 */
export function listDueEvents(
  source: Queryable,
  realNow: Instant,
  limit: number,
): Promise<{ projectId: string; participantId: string }[]> {
  return source.query(
    `(select project_id as "projectId", participant_id as "participantId" from events
      where processing_state = 'pending' and next_attempt_at <= $1::timestamptz
      order by next_attempt_at limit $2)
     union all
     (select e.project_id, e.participant_id
      from project_heads h join events e on e.project_id = h.project_id
      where h.clock_offset_ms > 0 and e.processing_state = 'pending'
        and e.next_attempt_at > $1::timestamptz
        and e.next_attempt_at <=
          $1::timestamptz + h.clock_offset_ms * interval '1 millisecond'
      order by e.next_attempt_at limit $2)`,
    [realNow, limit],
  );
}

/** People of one Project with due purchases. */
export async function listPeopleDue(
  source: Queryable,
  projectId: string,
  dueBy: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await source.query<{ participantId: string }>(
    `select distinct participant_id as "participantId" from events
     where project_id = $1 and processing_state = 'pending' and next_attempt_at <= $2
     limit $3`,
    [projectId, dueBy, limit],
  );
  return rows.map((row) => row.participantId);
}

/** The columns of events that name a person: the participant, or the actor of a group. */
export type EventParty = 'participant_id' | 'actor_participant_id';

export interface EventPlace {
  readonly id: string;
  readonly number: number;
}

interface EventsBehind {
  readonly party: EventParty;
  readonly participantId: string;
  readonly after: number;
  readonly limit: number;
}

/** In order of their numbers, after a given one. */
export async function listEventsBehind(
  source: Queryable,
  projectId: string,
  { party, participantId, after, limit }: EventsBehind,
): Promise<EventPlace[]> {
  const rows = await source.query<{ id: string; number: bigint }>(
    `select id, number from events where project_id = $1 and ${party} = $2 and number > $3
     order by number limit $4`,
    [projectId, participantId, after, limit],
  );
  return rows.map(({ id, number }) => ({ id, number: Number(number) }));
}

/** Blanks everything in events about people except amounts, and hashes from which their names could be guessed. */
export function blankEvents(tx: Tx, projectId: string, ids: readonly string[]): void {
  tx.send(
    `with found as materialized (
       select e.* from unnest($2::text[]) as asked (id)
       cross join lateral (select source_namespace_id, source_event_id from events
         where project_id = $1 and events.id = asked.id offset 0) as e)
     update source_keys k set facts_hash = ''
     from (select $1::text as project_id, f.* from found f offset 0) as f
     where k.project_id = f.project_id and k.source_namespace_id = f.source_namespace_id
       and k.source_event_id = f.source_event_id`,
    [projectId, ids],
  );
  tx.send(
    `update events e set facts_hash = '',
       normalized_facts = json_build_object('purchase', normalized_facts->'purchase',
         'properties', '{}'::json)
     from (select $1::text as project_id, k.id from unnest($2::text[]) as k (id) offset 0) as k
     where e.project_id = k.project_id and e.id = k.id and e.facts_hash <> ''`,
    [projectId, ids],
  );
}

/** At most `limit` of those that are not blanked yet; returns how many. */
export async function blankSubscriptionFacts(
  tx: Tx,
  projectId: string,
  participantId: string,
  limit: number,
): Promise<number> {
  const rows = await tx.query<{ sourceNamespaceId: string; sourceEventId: string }>(
    `update subscription_facts f set facts_hash = '', plan_key = null
     from (select project_id, id from subscription_facts
       where project_id = $1 and participant_id = $2 and facts_hash <> '' limit $3) as k
     where f.project_id = k.project_id and f.id = k.id
     returning f.source_namespace_id as "sourceNamespaceId", f.source_event_id as "sourceEventId"`,
    [projectId, participantId, limit],
  );
  // The stored answer for a repeat of a subscription fact contains the fact, including its hash.
  tx.send(
    `update source_keys k set facts_hash = '', answer = '{}'
     from (select $1::text as project_id, f.* from unnest($2::text[], $3::text[])
       as f (source_namespace_id, source_event_id) offset 0) as f
     where k.project_id = f.project_id and k.source_namespace_id = f.source_namespace_id
       and k.source_event_id = f.source_event_id`,
    [
      projectId,
      rows.map(({ sourceNamespaceId }) => sourceNamespaceId),
      rows.map(({ sourceEventId }) => sourceEventId),
    ],
  );
  return rows.length;
}
