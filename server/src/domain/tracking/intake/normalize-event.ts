import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { AppError, type Issue } from '../../../platform/kit/errors.ts';
import { type Instant, parseInstant } from '../../../platform/kit/instant.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import type { TrackEvent } from '../event-schema.ts';

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
    issues.push({ path: 'actor', issue: 'is allowed only for a group' });
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
        issue: 'is allowed only for a signup',
      });
    }
  }
  if (body.type !== 'purchase' && body.purchase) {
    issues.push({ path: 'purchase', issue: 'is allowed only for a purchase' });
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

/** Identifies a fact: its source, and the id that the sender gave it. */
export function sourceKey(ref: {
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
}): string {
  return `${ref.sourceNamespaceId}\n${ref.sourceEventId}`;
}

/**
 * Identifies a purchase by its invoice (D-TRACK-5). Numbers are unique to an issuer, not to a
 * Project: one of somebody else, or in another currency, is another purchase.
 */
export function invoiceKey(purchase: {
  readonly participantId: string;
  readonly currency: string;
  readonly invoiceId: string | null;
}): string {
  return `${purchase.participantId}\n${purchase.currency}\n${purchase.invoiceId}`;
}

const SIGNUP_ID = /^signup:par_[0-9a-z]{26}$/;

/** The `sourceEventId` of a signup that was sent without one: a person has one signup. */
export function signupIdOf(participantId: string): string {
  return `signup:${participantId}`;
}

/** The person of a signup with an id that the service assigned; null for any other id. */
export function personOfSignupId(sourceEventId: string): string | null {
  return isSignupId(sourceEventId) ? sourceEventId.slice(signupIdOf('').length) : null;
}

/** Whether an id has the form that the service assigns. No other fact may have it. */
export function isSignupId(sourceEventId: string): boolean {
  return SIGNUP_ID.test(sourceEventId);
}

/** Distinguishes a repeat from other facts with the same id. */
export function hashFacts(facts: object): string {
  return createHash('sha256').update(canonicalJson(facts)).digest('hex');
}

/** The ISO 4217 currency, and the issues of how it was given. `path` ends with a dot, or is empty. */
export function checkCurrency(
  money: { readonly currency: string; readonly currencyExponent?: number | null | undefined },
  path: string,
): { currency: string; currencyExponent: number; issues: Issue[] } {
  const currency = money.currency.toUpperCase();
  const exponent = CURRENCY_EXPONENTS.get(currency);
  const issues: Issue[] = [];
  if (exponent === undefined) {
    const issue = 'must be an ISO 4217 currency that has a minor unit';
    issues.push({ path: `${path}currency`, issue });
  } else if ((money.currencyExponent ?? exponent) !== exponent) {
    issues.push({ path: `${path}currencyExponent`, issue: `must be ${exponent} for ${currency}` });
  }
  return { currency, currencyExponent: exponent ?? 0, issues };
}

/** Fails with INVALID_REQUEST, naming all issues, if there are any. */
export function refuseIssues(issues: readonly Issue[]): void {
  const [first] = issues;
  if (!first) return;
  throw new AppError('INVALID_REQUEST', `Invalid request: ${first.path} ${first.issue}.`, {
    details: issues,
  });
}
