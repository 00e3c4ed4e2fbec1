import type { Instant } from '../../../platform/kit/instant.ts';
import type { MailState } from '../kinds.ts';

export const BOUNCE_KINDS = ['hard', 'soft'] as const;
type BounceKind = (typeof BOUNCE_KINDS)[number];

/** What a provider reported about a mail after it had accepted it. */
export interface Bounce {
  readonly kind: BounceKind;
  readonly at: Instant;
  /** What the receiving server said. */
  readonly diagnostic: string | null;
}

/** A mail that was, or may have been, handed to the server. */
const LEFT: readonly MailState[] = ['sending', 'sent', 'unknown', 'failed', 'bounced'];

export type BounceDecision =
  /** The mail never left, so nothing can have come back. */
  | 'not_sent'
  /** It is recorded already, or something worse is. */
  | 'known'
  | { readonly state: 'bounced' | 'failed'; readonly bounce: Bounce };

/** What a report changes of a mail. The first report of a kind counts; a hard bounce replaces a soft one. */
export function decideBounce(
  mail: { readonly state: MailState; readonly bounce: Bounce | null },
  report: Bounce,
): BounceDecision {
  if (!LEFT.includes(mail.state)) return 'not_sent';
  if (mail.bounce?.kind === 'hard' || mail.bounce?.kind === report.kind) return 'known';
  // The server refused the address at once, which is worse.
  if (mail.state === 'bounced' && report.kind === 'soft') return 'known';
  return { state: report.kind === 'hard' ? 'bounced' : 'failed', bounce: report };
}

const ADDRESS = /[^\s<>()@]+@[^\s<>()@]+/g;

/** What a server said, without addresses: these are not stored. */
export function withoutAddresses(diagnostic: string): string {
  return diagnostic.replace(ADDRESS, '…');
}

const MESSAGE_ID = /^<?(mail_[0-9a-z]{26})@[^\s<>@]+>?$/;

/** The id of the mail with this `Message-ID`, with or without angle brackets; null if it is none of ours. */
export function mailIdOf(messageId: string): string | null {
  return MESSAGE_ID.exec(messageId.trim())?.[1] ?? null;
}
