import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { type ProgramBook, statusAt } from '../../programs/program-book.ts';

/** How long a purchase waits for a signup that arrives after it, or for the start of a subscription. */
export const PURCHASE_WAIT_MS = DAY_MS;

/** Somebody whose referral a purchase may count for. */
export interface PurchaseParty {
  /** Whether they have a referral that it would count for. */
  readonly hasReferral: boolean;
  readonly signup: 'none' | 'decided' | 'awaiting_subscription';
}

export interface PurchaseSituation {
  /** The participant of the purchase. */
  readonly own: PurchaseParty;
  /** For a group its actor and its creator, in the order in which their referrals count (D-AM-2). */
  readonly others: readonly PurchaseParty[];
  readonly participantCreatedAt: Instant;
  readonly receivedAt: Instant;
  readonly now: Instant;
  readonly book: ProgramBook;
}

/**
 * Whether a purchase waits: for its participant's signup, or for the subscription that this signup
 * or that of another party waits for. A referral of lower priority does not end the wait.
 */
export function isAwaited(situation: PurchaseSituation): boolean {
  const { own, others } = situation;
  if (own.hasReferral || !canRefer(situation)) return false;
  if (own.signup === 'none' && isNew(situation)) return true;
  const next = [own, ...others].find(
    ({ hasReferral, signup }) => hasReferral || signup === 'awaiting_subscription',
  );
  return next !== undefined && !next.hasReferral;
}

/** A participant who has existed for longer than a purchase waits is not going to sign up. */
function isNew({ participantCreatedAt, receivedAt }: PurchaseSituation): boolean {
  return addMs(participantCreatedAt, PURCHASE_WAIT_MS) >= receivedAt;
}

function canRefer({ book, now }: PurchaseSituation): boolean {
  return [...book.programs.values()].some((program) => {
    const status = statusAt(program, now);
    return program.kind !== 'loyalty' && (status === 'active' || status === 'paused');
  });
}
