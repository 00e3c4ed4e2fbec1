import { nextMailTry } from '../../../domain/partners/mail-schedule.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { MailFate } from '../../../platform/mail/mailer.ts';
import type { MailReason, MailState } from '../kinds.ts';

/** The state of a mail after an attempt. */
export interface Outcome {
  readonly state: MailState;
  readonly reason: MailReason | null;
  /** When to try again; null if there is nothing to do. */
  readonly dueAt: Instant | null;
}

/**
 * What follows from an attempt (from 1) that ended at `now`. Only a failure that certainly left nothing at the
 * server is retried: somebody may already have the mail otherwise.
 */
export function decideOutcome(fate: MailFate | 'accepted', tries: number, now: Instant): Outcome {
  switch (fate) {
    case 'accepted':
      return { state: 'sent', reason: null, dueAt: null };
    case 'unknown':
      return { state: 'unknown', reason: 'connection_lost', dueAt: null };
    case 'refused':
      return { state: 'bounced', reason: 'recipient_refused', dueAt: null };
    case 'rejected':
      return { state: 'failed', reason: 'content_refused', dueAt: null };
    case 'unusable':
      return { state: 'dropped', reason: 'unusable_address', dueAt: null };
    case 'unsupported':
      return { state: 'dropped', reason: 'smtputf8_unsupported', dueAt: null };
    case 'retry': {
      const dueAt = nextMailTry(tries, now);
      if (dueAt === null) return { state: 'failed', reason: 'attempts_exhausted', dueAt };
      return { state: 'waiting', reason: 'retry_scheduled', dueAt };
    }
  }
}

/** What stands in the way of a mail to this recipient. */
export interface Hindrances {
  readonly hasSender: boolean;
  /** Null if the recipient has none, was erased or has left. */
  readonly address: string | null;
  /** Whether the address is a mailbox. */
  readonly isMailable: boolean;
  readonly isSwitchedOn: boolean;
  readonly hasOptedOut: boolean;
  readonly hasBounced: boolean;
  readonly sandbox: 'preview' | 'marked' | 'listed' | null;
  readonly sandboxAddresses: readonly string[];
}

/** Null if the mail may be sent. */
export function decideHindrance(found: Hindrances): Omit<Outcome, 'dueAt'> | null {
  const { address, sandbox } = found;
  if (address === null) return { state: 'dropped', reason: 'no_address' };
  if (!found.isMailable) return { state: 'dropped', reason: 'unusable_address' };
  if (!found.isSwitchedOn) return { state: 'dropped', reason: 'switched_off' };
  if (found.hasOptedOut) return { state: 'suppressed', reason: 'unsubscribed' };
  if (found.hasBounced) return { state: 'suppressed', reason: 'bounced_before' };
  if (sandbox === 'preview') return { state: 'preview', reason: 'sandbox' };
  if (sandbox === 'listed' && !isListed(address, found.sandboxAddresses)) {
    return { state: 'preview', reason: 'not_listed' };
  }
  return found.hasSender ? null : { state: 'dropped', reason: 'no_sender' };
}

function isListed(address: string, listed: readonly string[]): boolean {
  return listed.some((one) => one.toLowerCase() === address.toLowerCase());
}
