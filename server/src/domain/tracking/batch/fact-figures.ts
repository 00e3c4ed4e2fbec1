import { type Figure, figure, REFERRED } from '../../../platform/figures/tally.ts';
import type { Referral } from '../event-schema.ts';
import type { TrackedEvent } from './facts.ts';

const NAMES: Readonly<Record<string, string>> = { signup: 'signups', purchase: 'purchases' };

/**
 * The figures of a decided Event: the daily figures of the Project and of the credited Program. A
 * recount passes the number of similar Events.
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
  // An invoice that was reported again is no second purchase.
  const isCounted = name !== undefined && event.processingReason !== 'duplicate_invoice';
  return [
    ...(isCounted ? [figure(projectId, day, name, howMany)] : []),
    ...(programId === null ? [] : [figure(programId, day, 'events', howMany)]),
    ...(programId === null || !isCounted ? [] : [figure(programId, day, name, howMany)]),
  ];
}

export function referralFiguresOf(
  referral: Pick<Referral, 'programId' | 'referrerParticipantId' | 'selectedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  const { programId, referrerParticipantId, selectedAt } = referral;
  return [
    figure(referrerParticipantId, programId, REFERRED, howMany),
    figure(referrerParticipantId, '', REFERRED, howMany),
    figure(programId, '', 'referrals', howMany),
    figure(programId, selectedAt.slice(0, 10), 'referrals', howMany),
  ];
}

/**
 * The additional figures of a referral once its referee has bought: on the day it was created, so
 * that a day never has more converted referrals than referrals.
 */
export function conversionFiguresOf(
  referral: Pick<Referral, 'programId' | 'selectedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  return [figure(referral.programId, referral.selectedAt.slice(0, 10), 'converted', howMany)];
}
