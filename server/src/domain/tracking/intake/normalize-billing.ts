import { type Issue, invalid } from '../../../platform/kit/errors.ts';
import { type Instant, parseInstant } from '../../../platform/kit/instant.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import type {
  AdjustmentKind,
  SubscriptionFact,
  TrackAdjustment,
  TrackSubscription,
} from '../billing-schema.ts';
import { checkCurrency, hashFacts, refuseIssues } from './normalize-event.ts';

export interface SourceRef {
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
}

/** A refund, dispute, loss or restoration in the canonical form that is hashed, stored and decided. */
export interface AdjustmentInput extends SourceRef {
  readonly kind: AdjustmentKind;
  readonly purchase: SourceRef;
  readonly restores: SourceRef | null;
  /** The dispute that was lost. */
  readonly closes: SourceRef | null;
  /** Null for a loss: the dispute has the amount. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
  readonly occurredAt: Instant;
  readonly factsHash: string;
}

/** Fails with INVALID_REQUEST, naming what is inconsistent. */
export function normalizeAdjustment(body: TrackAdjustment): AdjustmentInput {
  const { sourceNamespaceId, sourceEventId, kind } = body;
  const amountMinor = body.amountMinor ?? null;
  const { currency, issues } = body.currency
    ? checkCurrency({ ...body, currency: body.currency }, '')
    : { currency: null, issues: [] };
  refuseIssues([...issues, ...refuseFields(body)]);
  const occurredAt = parseInstant(body.occurredAt);
  if (occurredAt === undefined) throw invalid('occurredAt', 'must be a time');
  const purchase: SourceRef = {
    sourceNamespaceId: body.purchase.sourceNamespaceId ?? sourceNamespaceId,
    sourceEventId: body.purchase.sourceEventId,
  };
  const restores = body.restores ?? null;
  const closes = body.closes ?? null;
  return {
    sourceNamespaceId,
    sourceEventId,
    kind,
    purchase,
    restores: restores === null ? null : { sourceNamespaceId, sourceEventId: restores },
    closes: closes === null ? null : { sourceNamespaceId, sourceEventId: closes },
    amountMinor: amountMinor === null ? null : BigInt(amountMinor),
    currency,
    occurredAt,
    factsHash: hashFacts(
      closes === null
        ? { kind, purchase, amountMinor, currency, occurredAt, restores }
        : { kind, purchase, closes, occurredAt },
    ),
  };
}

/** A loss names a dispute and has no amount; all others have one, and a restoration names what it undoes. */
function refuseFields(body: TrackAdjustment): Issue[] {
  const isLoss = body.kind === 'dispute_lost';
  const isRestoration = body.kind === 'restoration';
  const issues: Issue[] = [];
  const expect = (field: keyof TrackAdjustment, isDue: boolean, why: string) => {
    const isThere = (body[field] ?? null) !== null;
    if (isDue && !isThere) issues.push({ path: field, issue: `is required${why}` });
  };
  const refuse = (field: keyof TrackAdjustment, isWrong: boolean, issue: string) => {
    if (isWrong && (body[field] ?? null) !== null) issues.push({ path: field, issue });
  };
  expect('amountMinor', !isLoss, '');
  expect('currency', !isLoss, '');
  expect('currencyExponent', !isLoss, '');
  expect('restores', isRestoration, ' with kind restoration');
  expect('closes', isLoss, ' with kind dispute_lost');
  refuse('amountMinor', isLoss, 'is not allowed with kind dispute_lost');
  refuse('restores', !isRestoration, 'is allowed only with kind restoration');
  refuse('closes', !isLoss, 'is allowed only with kind dispute_lost');
  return issues;
}

type SubscriptionFacts = Pick<
  SubscriptionFact,
  | 'sourceNamespaceId'
  | 'sourceEventId'
  | 'subscriptionId'
  | 'change'
  | 'planKey'
  | 'periodStart'
  | 'periodEnd'
  | 'occurredAt'
>;

/** A change of a subscription, in the canonical form that is hashed, stored and decided. */
export interface SubscriptionInput extends SubscriptionFacts {
  readonly participant: ParticipantRef;
  readonly factsHash: string;
}

/** Fails with INVALID_REQUEST. */
export function normalizeSubscription(body: TrackSubscription): SubscriptionInput {
  const time = (text: string | null | undefined) => (text ? (parseInstant(text) ?? null) : null);
  const occurredAt = time(body.occurredAt);
  if (occurredAt === null) throw invalid('occurredAt', 'must be a time');
  const [periodStart, periodEnd] = [time(body.periodStart), time(body.periodEnd)];
  if (periodStart !== null && periodEnd !== null && periodEnd < periodStart) {
    throw invalid('periodEnd', 'must not be before periodStart');
  }
  const { participant, subscriptionId, change } = body;
  const planKey = body.planKey ?? null;
  const facts = { subscriptionId, change, planKey, periodStart, periodEnd, occurredAt };
  return {
    ...facts,
    sourceNamespaceId: body.sourceNamespaceId,
    sourceEventId: body.sourceEventId,
    participant,
    factsHash: hashFacts({ participant, ...facts }),
  };
}
