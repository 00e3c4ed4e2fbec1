import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';

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
