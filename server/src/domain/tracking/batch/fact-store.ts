import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import {
  bigint,
  type Columns,
  insertRows,
  integer,
  json,
  jsonText,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import type { TrackAnswer } from '../event-schema.ts';
import type { Purchase, SourceKey, StoredReferral, Touch, TrackedEvent } from './facts.ts';

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

/** Null for most purchases. */
export function loyaltyOf({ loyaltyProgramIds }: Purchase): readonly string[] | null {
  return loyaltyProgramIds.length === 0 ? null : loyaltyProgramIds;
}

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
  loyalty_program_ids: json(loyaltyOf),
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
  source: text(() => 'ref_code'),
  utm: jsonText(() => NO_UTM),
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
  insertTouchRows(tx, projectId, rows, { created_at: now, updated_at: now });
}

export const insertReferrals = insertRows<StoredReferral>('referrals', {
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
  link_id: text((referral) => referral.linkId),
  campaign: text((referral) => referral.campaign),
  first_purchase_at: timestamptz((referral) => referral.firstPurchaseAt),
  review_status: text((referral) => referral.reviewStatus),
  created_at: timestamptz((referral) => referral.selectedAt),
  updated_at: timestamptz((referral) => referral.selectedAt),
});

/** When the first purchase of each was received. */
export const updateFirstPurchases = updateRows<StoredReferral>(
  'referrals',
  { id: text((referral) => referral.id) },
  { first_purchase_at: timestamptz((referral) => referral.firstPurchaseAt) },
);

export const updateReviewStatuses = updateRows<Pick<StoredReferral, 'id' | 'reviewStatus'>>(
  'referrals',
  { id: text((referral) => referral.id) },
  { review_status: text((referral) => referral.reviewStatus) },
);

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
  db: Queryable,
  projectId: string,
  { party, participantId, after, limit }: EventsBehind,
): Promise<EventPlace[]> {
  const rows = await db.query<{ id: string; number: bigint }>(
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
     where k.project_id = $1 and k.project_id = f.project_id and k.source_namespace_id = f.source_namespace_id
       and k.source_event_id = f.source_event_id`,
    [projectId, ids],
  );
  tx.send(
    `update events e set facts_hash = '',
       normalized_facts = ('{"purchase":' || coalesce((normalized_facts->'purchase')::text, 'null')
         || ',"properties":{}}')::json,
       explanation = case when explanation is null then null else json_build_object(
         'candidates', explanation->'candidates',
         'rules', (select coalesce(json_agg(case when rule->'condition' is null then rule
             else (jsonb_set(rule::jsonb, '{condition,found}', 'null'))::json end), '[]')
           from json_array_elements(explanation->'rules') as rules (rule))) end
     from (select $1::text as project_id, k.id from unnest($2::text[]) as k (id) offset 0) as k
     where e.project_id = $1 and e.project_id = k.project_id and e.id = k.id and e.facts_hash <> ''`,
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
     where f.project_id = $1 and f.project_id = k.project_id and f.id = k.id
     returning f.source_namespace_id as "sourceNamespaceId", f.source_event_id as "sourceEventId"`,
    [projectId, participantId, limit],
  );
  // The stored answer for a repeat of a subscription fact contains the fact, including its hash.
  tx.send(
    `update source_keys k set facts_hash = '', answer = '{}'
     from (select $1::text as project_id, f.* from unnest($2::text[], $3::text[])
       as f (source_namespace_id, source_event_id) offset 0) as f
     where k.project_id = $1 and k.project_id = f.project_id and k.source_namespace_id = f.source_namespace_id
       and k.source_event_id = f.source_event_id`,
    [
      projectId,
      rows.map(({ sourceNamespaceId }) => sourceNamespaceId),
      rows.map(({ sourceEventId }) => sourceEventId),
    ],
  );
  return rows.length;
}
