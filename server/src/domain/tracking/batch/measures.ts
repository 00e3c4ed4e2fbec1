import { type Figure, figure, figureKey, REFERRED } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { makeOnce } from '../../../platform/kit/make-once.ts';
import { carriedName } from '../../participants/starts/starting-measures.ts';
import type { BookedProgram, ProgramBook } from '../../programs/program-book.ts';
import { daysIn } from '../../programs/rules/window-days.ts';
import type { AskedMeasure } from '../../rewards/decide/earn-rewards.ts';
import type { StakedMeasure } from '../../rewards/decide/hold-milestone.ts';
import type { Measured } from '../../rewards/decide/measured-benefit.ts';
import type { Purchase, PurchaseCredit, StoredReferral } from './facts.ts';

// The measures of tiers and milestones, as figures. Those of all time are in the row of the beneficiary and the
// Program. Those of a window are the sums of at most 31 days, which are counted only from the first terms that
// need them on (`BookedProgram.daysFrom`). What a rejected referral has counted is counted once more under names of its
// own (`rejected:…`), and subtracted where a measure is read: results and signals of risk keep it. What a referral under
// review has counted for all time is counted once more as `reviewed:…` until the review is decided.

/** The subject of a beneficiary's days in a Program: not read with the beneficiary's other figures. */
export function measureDaysOf(beneficiaryId: string, programId: string): string {
  return `${beneficiaryId}/${programId}`;
}

type Amounts = Pick<Purchase, 'amountMinor' | 'refundedMinor' | 'disputedMinor' | 'currency'>;
type Days = Pick<ProgramBook, 'programs'>;
type Left = ReturnType<typeof leftOf>;

/** What a purchase counts for one beneficiary, of whom it is the own or a referred one. */
interface Counted {
  readonly beneficiaryId: string;
  readonly programId: string;
  readonly isOwn: boolean;
  readonly receivedAt: Instant;
}

/** The names of a purchase's numbers. `revenue:<currency>` of a referrer is counted with the results. */
function namesOf(isOwn: boolean, currency: string | null, kind: '' | 'atStake:' = '') {
  const key = `${isOwn ? 'own:' : ''}${kind}`;
  const names = NAMES.get(key) ?? {
    purchases: `${key}purchases`,
    revenueOf: makeOnce((code) => `${key}revenue:${code}`),
  };
  NAMES.set(key, names);
  return { purchases: names.purchases, revenue: names.revenueOf(String(currency)) };
}

const NAMES = new Map<string, { purchases: string; revenueOf: (currency: string) => string }>();

/** By what is left of a purchase. A disputed amount counts until it is lost, and is counted as at stake meanwhile. */
function countPurchase(
  { beneficiaryId, programId, isOwn, receivedAt }: Counted,
  { netMinor, currency, howMany, atStake }: Left,
  days: Days,
): Figure[] {
  const names = namesOf(isOwn, currency);
  const stakes = namesOf(isOwn, currency, 'atStake:');
  const day = receivedAt.slice(0, 10);
  const inDays = measureDaysOf(beneficiaryId, programId);
  return [
    figure(beneficiaryId, programId, names.purchases, howMany),
    ...(isOwn ? [figure(beneficiaryId, programId, names.revenue, netMinor)] : []),
    figure(beneficiaryId, programId, stakes.purchases, atStake.howMany),
    figure(beneficiaryId, programId, stakes.revenue, atStake.amountMinor),
    ...(countsDay(days.programs.get(programId), day)
      ? [
          figure(inDays, day, names.purchases, howMany),
          figure(inDays, day, names.revenue, netMinor),
        ]
      : []),
  ];
}

/** The measures that a credited purchase counts for: of the referrer, and of the referee as their own. */
export function creditMeasures(purchase: Amounts, credit: PurchaseCredit, days: Days): Figure[] {
  const { programId, referrerParticipantId, reviewStatus } = credit;
  return [
    ...sidesMeasures(leftOf(purchase), credit, days),
    figure(referrerParticipantId, programId, REFUNDED, isRefunded(purchase) ? 1 : 0),
    ...(reviewStatus === 'rejected' ? rejectedPurchases(leftOf(purchase), credit, days) : []),
    ...(reviewStatus === 'open' ? reviewedPurchases(leftOf(purchase), credit) : []),
  ];
}

/** Those of them that signs of risk read, whatever the terms are. */
export function riskMeasures(purchase: Amounts, credit: PurchaseCredit): Figure[] {
  const { programId, referrerParticipantId: referrer } = credit;
  const { howMany } = leftOf(purchase);
  return [
    figure(referrer, programId, 'purchases', howMany),
    figure(referrer, programId, REFUNDED, isRefunded(purchase) ? 1 : 0),
  ];
}

type Credit = Omit<PurchaseCredit, 'reviewStatus'>;

/** What credited purchases of a rejected referral counted. It is counted once more, and measures leave it out. */
export function rejectedPurchases(left: Left, credit: Credit, days: Days): Figure[] {
  return countedTwice(left, credit, days).map(asRejected);
}

const NO_DAYS: Days = { programs: new Map() };

/** The same of a referral under review. Milestones, which are what waits for reviews, have no windows. */
function reviewedPurchases(left: Left, credit: Credit): Figure[] {
  return countedTwice(left, credit, NO_DAYS).map(asReviewed);
}

/** Also the revenue of the referrer, which is counted with the results. */
function countedTwice(left: Left, credit: Credit, days: Days): Figure[] {
  const { programId, referrerParticipantId } = credit;
  const { netMinor, currency } = left;
  const { revenue } = namesOf(false, currency);
  return [
    ...sidesMeasures(left, credit, days),
    figure(referrerParticipantId, programId, revenue, netMinor),
  ];
}

/**
 * All that a referral has counted for milestones so far, as that of a referral under review: what its purchases have
 * counted for its referee, who has no other referral, they have counted for its referrer as well. `figures` has at least
 * those of the referee.
 */
export function reviewedReferral(
  {
    programId,
    referrerParticipantId,
    refereeParticipantId,
  }: Pick<StoredReferral, 'programId' | 'referrerParticipantId' | 'refereeParticipantId'>,
  figures: Iterable<Figure>,
): Figure[] {
  const own = [...figures].filter(
    ({ subject, part, name, value }) =>
      subject === refereeParticipantId && part === programId && OWN.test(name) && value !== 0n,
  );
  return [
    figure(referrerParticipantId, programId, 'referrals'),
    ...own,
    ...own.map((one) => ({
      ...one,
      subject: referrerParticipantId,
      name: one.name.replace(OWN, ''),
    })),
  ].map(asReviewed);
}

const OWN = /^own:/;

/** The same of a rejected referral itself. */
export function rejectedReferral(
  referral: Pick<StoredReferral, 'programId' | 'referrerParticipantId' | 'selectedAt'>,
  days: Days,
): Figure[] {
  const { programId, referrerParticipantId } = referral;
  const ofAllTime = figure(referrerParticipantId, programId, 'referrals');
  return [ofAllTime, ...referralDay(referral, days)].map(asRejected);
}

function asRejected(one: Figure): Figure {
  return { ...one, name: rejectedName(one.name) };
}

function asReviewed(one: Figure): Figure {
  return { ...one, name: reviewedName(one.name) };
}

/** The figure of what referrals under review have counted for a measure. */
function reviewedName(name: string): string {
  return `reviewed:${name}`;
}

/** The figure of what rejected referrals have counted for a measure. */
function rejectedName(name: string): string {
  return `rejected:${name}`;
}

/** Whether the measure of referrals has ever fallen, or may fall by a review. */
export function hasReviewed(
  figures: ReadonlyMap<string, { readonly value: bigint }>,
  programId: string,
  beneficiaryId: string,
): boolean {
  return [rejectedName('referrals'), reviewedName('referrals')].some((name) => {
    const counted = figures.get(figureKey({ subject: beneficiaryId, part: programId, name }));
    return (counted?.value ?? 0n) > 0n;
  });
}

function sidesMeasures(left: Left, credit: Credit, days: Days): Figure[] {
  const { programId, referrerParticipantId, refereeParticipantId, receivedAt } = credit;
  return [
    ...countPurchase(
      { beneficiaryId: referrerParticipantId, programId, isOwn: false, receivedAt },
      left,
      days,
    ),
    ...countPurchase(
      { beneficiaryId: refereeParticipantId, programId, isOwn: true, receivedAt },
      left,
      days,
    ),
  ];
}

/** Purchases of a referrer's referees that were refunded in full: no measure, but a sign of risk. */
export const REFUNDED = 'refunded';

function isRefunded(purchase: Amounts): boolean {
  return BigInt(purchase.amountMinor) > 0n && leftOf(purchase).netMinor <= 0n;
}

/** The measures of a purchase in the loyalty Programs that it counts for. */
export function loyaltyMeasures(purchase: Purchase, receivedAt: Instant, days: Days): Figure[] {
  const what = leftOf(purchase);
  return purchase.loyaltyProgramIds.flatMap((programId) =>
    countPurchase(
      { beneficiaryId: purchase.participantId, programId, isOwn: true, receivedAt },
      what,
      days,
    ),
  );
}

/**
 * What is left of a purchase, and what of it would be gone if every open dispute was lost. Also of purchases that are
 * `alike`, by the sums of their amounts: something is left of each of them or of none, and the same without what is disputed.
 */
export function leftOf(
  { amountMinor, refundedMinor, disputedMinor, currency }: Amounts,
  alike = 1n,
) {
  const keptMinor = BigInt(amountMinor) - refundedMinor;
  const netMinor = keptMinor + disputedMinor;
  const howMany = netMinor > 0n ? alike : 0n;
  const atStake = { amountMinor: disputedMinor, howMany: keptMinor > 0n ? 0n : howMany };
  return { netMinor, currency, howMany, atStake };
}

/** The day of a referral; of all time it is counted with the results. */
export function referralDay(
  referral: Pick<StoredReferral, 'programId' | 'referrerParticipantId' | 'selectedAt'>,
  days: Days,
): Figure[] {
  const { programId, referrerParticipantId, selectedAt } = referral;
  const day = selectedAt.slice(0, 10);
  if (!countsDay(days.programs.get(programId), day)) return [];
  return [figure(measureDaysOf(referrerParticipantId, programId), day, 'referrals')];
}

function countsDay(program: Pick<BookedProgram, 'daysFrom'> | undefined, day: string): boolean {
  return (program?.daysFrom ?? null) !== null && day >= (program?.daysFrom as string);
}

/**
 * Reads a measure of a beneficiary in a Program from figures. Starting measures are of referrers, and have no dates: they
 * count for all time.
 */
export function readMeasure(
  figures: ReadonlyMap<string, { readonly value: bigint }>,
  programId: string,
  { beneficiaryId, role, measure, window, currency, receivedAt }: AskedMeasure,
): Measured {
  const names = { ...namesOf(role !== 'referrer', currency), referrals: 'referrals' };
  const read = (subject: string, part: string, name: string) =>
    figures.get(figureKey({ subject, part, name }))?.value ?? 0n;
  const rejectedIn = (subject: string, part: string) =>
    read(subject, part, rejectedName(names[measure]));
  if (window === 'all_time') {
    const name = measure === 'referrals' ? REFERRED : names[measure];
    const carried =
      role === 'referrer' ? read(beneficiaryId, programId, carriedName(names[measure])) : 0n;
    const rejected = rejectedIn(beneficiaryId, programId);
    const counted = read(beneficiaryId, programId, name);
    const underReview = read(beneficiaryId, programId, reviewedName(names[measure]));
    return { value: carried + counted - rejected, carried, rejected, underReview };
  }
  const subject = measureDaysOf(beneficiaryId, programId);
  const sum = (numberOf: (day: string) => bigint) =>
    daysIn(window, receivedAt).reduce((total, day) => total + numberOf(day), 0n);
  const rejected = sum((day) => rejectedIn(subject, day));
  const counted = sum((day) => read(subject, day, names[measure]));
  return { value: counted - rejected, carried: 0n, rejected, underReview: 0n };
}

/** A measure of all time, and how much of it would be gone by open disputes and open reviews. */
export function readStaked(
  figures: ReadonlyMap<string, { readonly value: bigint }>,
  programId: string,
  asked: Omit<AskedMeasure, 'window' | 'receivedAt'>,
): StakedMeasure {
  const { beneficiaryId, role, measure, currency } = asked;
  const ever = { window: 'all_time', receivedAt: '' } as const;
  const { value, underReview } = readMeasure(figures, programId, { ...asked, ...ever });
  if (measure === 'referrals') return { value, disputed: 0n, underReview, both: 0n };
  const read = (name: string) =>
    figures.get(figureKey({ subject: beneficiaryId, part: programId, name }))?.value ?? 0n;
  const stake = namesOf(role !== 'referrer', currency, 'atStake:')[measure];
  return {
    value,
    disputed: read(stake) - read(rejectedName(stake)),
    underReview,
    both: read(reviewedName(stake)),
  };
}
