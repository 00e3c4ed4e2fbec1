import type { Issue } from '../../../platform/kit/errors.ts';
import { type Instant, parseInstant } from '../../../platform/kit/instant.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import type { TrackEvent } from '../event-schema.ts';
import { checkCurrency, refuseIssues } from './check-currency.ts';
import { hashFacts } from './fact-keys.ts';

export interface PurchaseFacts {
  readonly amountMinor: string;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly taxAmountMinor: string | null;
  readonly orderId: string | null;
  readonly invoiceId: string | null;
  readonly subscriptionId: string | null;
  readonly billingReason: string | null;
}

/** An Event in the canonical form that is hashed, stored and decided. */
export interface EventInput {
  readonly type: string;
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string | null;
  readonly participant: ParticipantRef;
  readonly actor: ParticipantRef | null;
  /** Null if it was not sent: then the time of arrival is used, and is not part of the hash. */
  readonly occurredAt: Instant | null;
  readonly handle: string | null;
  readonly refCode: string | null;
  readonly facts: {
    readonly purchase: PurchaseFacts | null;
    readonly properties: Readonly<Record<string, unknown>>;
  };
  readonly factsHash: string;
}

/** Fails with INVALID_REQUEST, naming everything that is inconsistent. */
export function normalizeEvent(body: TrackEvent): EventInput {
  const issues = [...checkParties(body), ...checkFields(body)];
  const purchase = body.purchase ? normalizePurchase(body.purchase, issues) : null;
  refuseIssues(issues);
  const facts = { purchase, properties: body.properties ?? {} };
  const occurredAt = body.occurredAt ? (parseInstant(body.occurredAt) ?? null) : null;
  const participant = body.participant;
  const actor = body.actor ?? null;
  const hashed = { type: body.type, participant, actor, occurredAt, normalizedFacts: facts };
  return {
    type: body.type,
    sourceNamespaceId: body.sourceNamespaceId,
    sourceEventId: body.sourceEventId ?? null,
    participant,
    actor,
    occurredAt,
    handle: body.identify?.handle ?? null,
    refCode: body.refCode ?? null,
    facts,
    factsHash: hashFacts(hashed),
  };
}

function checkParties({ participant, actor }: TrackEvent): Issue[] {
  if (!actor) return [];
  const issues: Issue[] = [];
  if (actor.kind !== 'individual') {
    issues.push({ path: 'actor.kind', issue: 'must be individual' });
  }
  if (participant.kind !== 'group') {
    issues.push({ path: 'actor', issue: 'can be given only for a group' });
  }
  return issues;
}

function checkFields(body: TrackEvent): Issue[] {
  const issues: Issue[] = [];
  if (body.type !== 'signup') {
    if (!body.sourceEventId) issues.push({ path: 'sourceEventId', issue: 'is required' });
    if (body.identify) {
      issues.push({
        path: 'identify',
        issue: 'belongs to a signup: only that comes from a browser',
      });
    }
  }
  if (body.type !== 'purchase' && body.purchase) {
    issues.push({ path: 'purchase', issue: 'belongs to a purchase' });
  }
  return issues;
}

function normalizePurchase(
  purchase: NonNullable<TrackEvent['purchase']>,
  issues: Issue[],
): PurchaseFacts {
  const { currency, currencyExponent, issues: faults } = checkCurrency(purchase, 'purchase.');
  issues.push(...faults);
  return {
    amountMinor: purchase.amountMinor,
    currency,
    currencyExponent,
    taxAmountMinor: purchase.taxAmountMinor ?? null,
    orderId: purchase.orderId ?? null,
    invoiceId: purchase.invoiceId ?? null,
    subscriptionId: purchase.subscriptionId ?? null,
    billingReason: purchase.billingReason ?? null,
  };
}
