import type { Tx } from '../../../platform/db/database.ts';
import { findRow, listRows } from '../../../platform/db/statements.ts';
import {
  insertRows,
  json,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import type { SubscriptionFact } from '../billing-schema.ts';
import { paidFor, TOUCH, UNPRICED } from '../store.ts';
import type { Touch } from './facts.ts';

const FACT = `id, project_id as "projectId", participant_id as "participantId",
  source_namespace_id as "sourceNamespaceId", source_event_id as "sourceEventId",
  subscription_id as "subscriptionId", change, plan_key as "planKey",
  period_start as "periodStart", period_end as "periodEnd", occurred_at as "occurredAt",
  received_at as "receivedAt", facts_hash as "factsHash", reason, candidates`;

export const findSubscriptionFact = findRow<SubscriptionFact, [projectId: string, id: string]>(
  `select ${FACT} from subscription_facts where project_id = $1 and id = $2`,
);

export const insertSubscriptionFacts = insertRows<SubscriptionFact>('subscription_facts', {
  id: text((fact) => fact.id),
  participant_id: text((fact) => fact.participantId),
  source_namespace_id: text((fact) => fact.sourceNamespaceId),
  source_event_id: text((fact) => fact.sourceEventId),
  subscription_id: text((fact) => fact.subscriptionId),
  change: text((fact) => fact.change),
  plan_key: text((fact) => fact.planKey),
  period_start: timestamptz((fact) => fact.periodStart),
  period_end: timestamptz((fact) => fact.periodEnd),
  occurred_at: timestamptz((fact) => fact.occurredAt),
  received_at: timestamptz((fact) => fact.receivedAt),
  facts_hash: text((fact) => fact.factsHash),
  reason: text((fact) => fact.reason),
  candidates: json((fact) => fact.candidates),
});

/** What became of facts that were decided again. */
export const updateSubscriptionFacts = updateRows<SubscriptionFact>(
  'subscription_facts',
  { id: text((fact) => fact.id) },
  { reason: text((fact) => fact.reason), candidates: json((fact) => fact.candidates) },
);

/** The starts of subscriptions of these people. */
export const listStarts = listRows<
  SubscriptionFact,
  [projectId: string, participantIds: readonly string[]],
  Tx
>(`select ${FACT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from subscription_facts r
       where r.project_id = $1 and r.participant_id = asked_id and r.change = 'started'
       offset 0) as found`);

/** Codes sent with these people's signups. */
export const listCodeTouches = listRows<
  Touch & { readonly participantId: string },
  [projectId: string, participantIds: readonly string[]],
  Tx
>(`select ${TOUCH} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from touches r
       where r.project_id = $1 and r.participant_id = asked_id offset 0) as t`);

/** Those of these people who have paid something, not fully refunded, outside the given subscription. */
export function listCustomersOutside(
  tx: Tx,
  projectId: string,
  pairs: readonly { participantId: string; subscriptionId: string }[],
  exceptPurchaseIds: readonly string[],
): Promise<{ participantId: string; subscriptionId: string }[]> {
  // On either side of the excluded one, so that none of its invoices is read.
  const sides = ['is null', '< asked_subscription', '> asked_subscription'];
  const bought = sides.map((side) => paidFor(`r.subscription_id ${side}`, '$4'));
  return tx.query(
    `select asked_id as "participantId", asked_subscription as "subscriptionId"
     from unnest($2::text[], $3::text[]) as asked (asked_id, asked_subscription)
     cross join lateral (${[...bought, UNPRICED].join(' union all ')} limit 1) as bought`,
    [
      projectId,
      pairs.map((pair) => pair.participantId),
      pairs.map((pair) => pair.subscriptionId),
      exceptPurchaseIds,
    ],
  );
}
