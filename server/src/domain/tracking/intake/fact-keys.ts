import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';

/** What tells facts apart: their source, and the id that the sender gave them. */
export function sourceKey(ref: {
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
}): string {
  return `${ref.sourceNamespaceId}\n${ref.sourceEventId}`;
}

/**
 * What tells purchases apart by their invoices (D-TRACK-5). Numbers are unique to an issuer, not to a
 * Project: somebody else's, or one in another currency, is another purchase.
 */
export function invoiceKey(purchase: {
  readonly participantId: string;
  readonly currency: string;
  readonly invoiceId: string | null;
}): string {
  return `${purchase.participantId}\n${purchase.currency}\n${purchase.invoiceId}`;
}

const SIGNUP_ID = /^signup:par_[0-9a-z]{26}$/;

/** The `sourceEventId` of a signup that came without one: a person has one signup. */
export function signupIdOf(participantId: string): string {
  return `signup:${participantId}`;
}

/** Whose signup it is that has an id that the service gives; null for any other id. */
export function personOfSignupId(sourceEventId: string): string | null {
  return isSignupId(sourceEventId) ? sourceEventId.slice(signupIdOf('').length) : null;
}

/** Whether an id is the form of one that the service gives. No other fact may have it. */
export function isSignupId(sourceEventId: string): boolean {
  return SIGNUP_ID.test(sourceEventId);
}

/** By which a repeat is told from other facts under the same id. */
export function hashFacts(facts: object): string {
  return createHash('sha256').update(canonicalJson(facts)).digest('hex');
}
