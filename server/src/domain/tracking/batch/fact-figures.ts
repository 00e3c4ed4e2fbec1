import { type Figure, figure, REFERRED } from '../../../platform/figures/tally.ts';
import { DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { makeOnce } from '../../../platform/kit/make-once.ts';
import { linksOf } from '../../clicks/links/click-counter.ts';
import type { Purchase, PurchaseCredit, StoredReferral, TrackedEvent } from './facts.ts';

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

type CountedReferral = Pick<
  StoredReferral,
  'programId' | 'referrerParticipantId' | 'selectedAt' | 'linkId'
>;

export function referralFiguresOf(referral: CountedReferral, howMany: bigint = 1n): Figure[] {
  return [...referredFiguresOf(referral, howMany), ...listedReferralFiguresOf(referral, howMany)];
}

/** Decisions read these as a measure, and to judge the risk. */
export function referredFiguresOf(
  { programId, referrerParticipantId }: Omit<CountedReferral, 'selectedAt' | 'linkId'>,
  howMany: bigint = 1n,
): Figure[] {
  return [
    figure(referrerParticipantId, programId, REFERRED, howMany),
    figure(referrerParticipantId, '', REFERRED, howMany),
  ];
}

export function listedReferralFiguresOf(
  { programId, selectedAt, linkId }: Omit<CountedReferral, 'referrerParticipantId'>,
  howMany: bigint = 1n,
): Figure[] {
  return [
    figure(programId, '', 'referrals', howMany),
    figure(programId, selectedAt.slice(0, 10), 'referrals', howMany),
    ...(linkId === null ? [] : [figure(linkId, linksOf(programId), REFERRED, howMany)]),
  ];
}

/** The fields of a referral that its figures as a customer depend on. */
export type CountedCustomer = Pick<
  StoredReferral,
  'programId' | 'referrerParticipantId' | 'selectedAt' | 'linkId' | 'firstPurchaseAt'
>;

/**
 * The additional figures of a referral once its referee has bought. `converted` counts on the day the
 * referral was created, so that a day never has more converted referrals than referrals; `customers`
 * on the day of the first purchase.
 */
export function customerFiguresOf(referral: CountedCustomer, howMany: bigint = 1n): Figure[] {
  const { programId, referrerParticipantId, selectedAt, linkId, firstPurchaseAt } = referral;
  if (firstPurchaseAt === null) return [];
  const referredOn = selectedAt.slice(0, 10);
  const weeks = weeksBetween(selectedAt, firstPurchaseAt);
  return [
    figure(programId, referredOn, 'converted', howMany),
    ...(weeks > WEEKS_MAX ? [] : [figure(programId, referredOn, weekName(weeks), howMany)]),
    figure(programId, firstPurchaseAt.slice(0, 10), 'customers', howMany),
    figure(referrerParticipantId, programId, 'customers', howMany),
    ...(linkId === null ? [] : [figure(linkId, linksOf(programId), 'customers', howMany)]),
  ];
}

/** Later first purchases are not counted by week. */
const WEEKS_MAX = 52;

/** Referrals whose referee bought first in the week of the referral (0), in the one after it (1), and so on. */
export function weekName(weeks: number): string {
  return `week:${weeks}`;
}

/** From week to week; a purchase that was received before its referral was made counts in the same week. */
function weeksBetween(from: Instant, to: Instant): number {
  return Math.max(0, weekNumber(to) - weekNumber(from));
}

/** 1970-01-01 was a Thursday, and weeks start on Monday. */
const THURSDAY = 3;

function weekNumber(instant: Instant): number {
  return Math.floor((Math.floor(Date.parse(instant) / DAY_MS) + THURSDAY) / 7);
}

/** What a purchase has brought, after refunds and lost disputes. A disputed amount counts until it is lost. */
export function netOf({ amountMinor, refundedMinor, disputedMinor }: CountedPurchase): bigint {
  return BigInt(amountMinor) - refundedMinor + disputedMinor;
}

/** The fields of a purchase that its figures depend on. */
export type CountedPurchase = Pick<
  Purchase,
  'amountMinor' | 'refundedMinor' | 'disputedMinor' | 'currency'
>;

/**
 * The revenue of a purchase that was credited to a referral, on the day the purchase was received. A
 * recount passes the sums of many.
 */
export function revenueFiguresOf(purchase: CountedPurchase, credit: CountedCredit): Figure[] {
  const listed = listedRevenueFiguresOf(purchase, credit);
  return [...listed.slice(0, 1), referrerRevenueOf(purchase, credit), ...listed.slice(1)];
}

type CountedCredit = Omit<PurchaseCredit, 'campaign' | 'reviewStatus'>;

const revenueName = makeOnce((currency) => `revenue:${currency}`);

/** Decisions read this one as a measure. */
export function referrerRevenueOf(
  purchase: CountedPurchase,
  { programId, referrerParticipantId }: Pick<CountedCredit, 'programId' | 'referrerParticipantId'>,
): Figure {
  return figure(referrerParticipantId, programId, revenueName(purchase.currency), netOf(purchase));
}

export function listedRevenueFiguresOf(
  purchase: CountedPurchase,
  { programId, linkId, receivedAt }: CountedCredit,
): Figure[] {
  const name = `revenue:${purchase.currency}`;
  const netMinor = netOf(purchase);
  return [
    figure(programId, receivedAt.slice(0, 10), name, netMinor),
    ...(linkId === null ? [] : [figure(linkId, linksOf(programId), name, netMinor)]),
  ];
}
