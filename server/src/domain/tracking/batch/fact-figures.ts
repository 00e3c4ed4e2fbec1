import { type Figure, figure } from '../../../platform/figures/tally.ts';
import type { Referral } from '../event-schema.ts';
import type { TrackedEvent } from './facts.ts';

const NAMES: Readonly<Record<string, string>> = { signup: 'signups', purchase: 'purchases' };

/**
 * What a decided Event counts for: the day's figures of the Project, and of the Program that it
 * was credited to. A recount gives how many there are alike.
 */
export function eventFiguresOf(
  projectId: string,
  event: Pick<TrackedEvent, 'programId' | 'type' | 'receivedAt'> & {
    readonly processingReason: string;
  },
  howMany: bigint = 1n,
): Figure[] {
  const { programId, type } = event;
  const day = event.receivedAt.slice(0, 10);
  const name = NAMES[type];
  // An invoice that was told again is no second purchase.
  const isCounted = name !== undefined && event.processingReason !== 'duplicate_invoice';
  return [
    ...(isCounted ? [figure(projectId, `${day}:${name}`, howMany)] : []),
    ...(programId === null ? [] : [figure(programId, `${day}:events`, howMany)]),
    ...(programId === null || !isCounted ? [] : [figure(programId, `${day}:${name}`, howMany)]),
  ];
}

export function referralFiguresOf(
  referral: Pick<Referral, 'programId' | 'referrerParticipantId' | 'selectedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  const { programId, referrerParticipantId, selectedAt } = referral;
  return [
    figure(referrerParticipantId, `${programId}:referrals`, howMany),
    figure(referrerParticipantId, 'referrals', howMany),
    figure(programId, `${selectedAt.slice(0, 10)}:referrals`, howMany),
  ];
}

/**
 * What a referral counts for besides once its referee has bought: on the day that it was made, so
 * that of a day's referrals never more have led to a purchase than there are.
 */
export function conversionFiguresOf(
  referral: Pick<Referral, 'programId' | 'selectedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  return [figure(referral.programId, `${referral.selectedAt.slice(0, 10)}:converted`, howMany)];
}
