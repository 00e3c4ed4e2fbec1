import { addMs, DAY_MS, type Instant } from '../kit/instant.ts';
import { statusAt } from '../programs/program-activity.ts';
import type { ProgramBook } from '../programs/program-book.ts';

/** How long a purchase waits for the signup that it outran, or for the start of a subscription. */
export const PURCHASE_WAIT_MS = DAY_MS;

export interface PurchaseSituation {
  /** Whether there is a referral that it counts for, were it decided now. */
  readonly hasReferral: boolean;
  /** Whether that is the person's own, which none can come before. */
  readonly isOwnReferral: boolean;
  readonly signup: 'none' | 'decided' | 'awaiting_subscription';
  readonly participantCreatedAt: Instant;
  readonly now: Instant;
  readonly book: ProgramBook;
}

/**
 * Until when a purchase waits for its person's signup, or for the subscription that the signup waits
 * for; null when it is decided at once.
 */
export function waitUntil(situation: PurchaseSituation): Instant | null {
  const { now, book, signup } = situation;
  if (situation.isOwnReferral || signup === 'decided') return null;
  if (signup === 'none') {
    if (situation.hasReferral) return null;
    if (addMs(situation.participantCreatedAt, PURCHASE_WAIT_MS) < now) return null;
  }
  const canRefer = [...book.programs.values()].some((program) => {
    const status = statusAt(program, now);
    return program.kind !== 'loyalty' && (status === 'active' || status === 'paused');
  });
  return canRefer ? addMs(now, PURCHASE_WAIT_MS) : null;
}
