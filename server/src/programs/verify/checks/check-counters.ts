import { clickFiguresOf } from '../../../domain/clicks/links/click-counter.ts';
import { daysOf } from '../../../domain/participants/partner-days.ts';
import { startFigures } from '../../../domain/participants/starts/starting-measures.ts';
import {
  earnedDaysOf,
  figuresOf,
  onceFigureOf,
  periodFigureOf,
} from '../../../domain/rewards/decide/reward-figures.ts';
import {
  campaignCustomersOf,
  campaignReferralsOf,
  campaignRevenueOf,
  campaignsOf,
} from '../../../domain/tracking/batch/campaign-figures.ts';
import {
  customerFiguresOf,
  eventFiguresOf,
  referralFiguresOf,
  revenueFiguresOf,
} from '../../../domain/tracking/batch/fact-figures.ts';
import {
  customerDaysOf,
  purchaseDaysOf,
  referralDaysOf,
  revenueDaysOf,
} from '../../../domain/tracking/batch/partner-figures.ts';
import { toFigures } from '../../../platform/figures/figure-row.ts';
import { addToTally, type Figure, type Tally } from '../../../platform/figures/tally.ts';
import { type Difference, difference } from '../findings.ts';
import { countRows } from '../stores/page-store.ts';
import {
  groupClicksByLink,
  groupClicksByProgram,
  groupCustomersByLink,
  groupCustomersByPartnerDay,
  groupCustomersByProgram,
  groupCustomersByReferrer,
  groupEventsByDay,
  groupEventsByProgram,
  groupMeasures,
  groupPurchasesByLink,
  groupPurchasesByPartnerDay,
  groupPurchasesByProgram,
  groupPurchasesByReferrer,
  groupReferralsByCampaign,
  groupReferralsByLink,
  groupReferralsByPartnerDay,
  groupReferralsByProgram,
  groupReferralsByReferrer,
  groupRevenueByCampaign,
  groupRevenueByPartnerDay,
  groupRewardsByBeneficiary,
  groupRewardsByPartnerDay,
  groupRewardsByPeriod,
  groupRewardsByProgram,
  groupSignalsByProgram,
  groupSignalsOfProject,
  groupSignupRewards,
  listFigures,
  listStarts,
} from '../stores/recount-store.ts';
import type { CheckContext } from './check-context.ts';
import { groupByOwner, mergeByOwner, type OwnedFigures } from './merge-by-owner.ts';

/** Every figure equals a recount of its rows. */
export async function checkCounters(context: CheckContext): Promise<void> {
  await recount(context, (stored, recounted) => context.report(compareFigures(stored, recounted)));
}

/**
 * Recounts all rows of a project, by the same functions that counted them first. The database
 * groups rows that count alike; `visit` gets each owner's counters and their expected values.
 */
export async function recount(
  { tx, projectId, progress }: Pick<CheckContext, 'tx' | 'projectId' | 'progress'>,
  visit: (stored: readonly Figure[], recounted: readonly Figure[]) => void,
): Promise<void> {
  const total = await countRows(tx, projectId, 'figures');
  const streams = [
    owned(listFigures(tx, projectId), (row) => ({ owner: row.subject, figures: toFigures([row]) })),
    // Each grouping omits columns that the other's figures need, so each has its own.
    owned(groupRewardsByBeneficiary(tx, projectId), ({ reward, howMany }) => {
      const owner = reward.beneficiaryParticipantId;
      return { owner, figures: figuresOf(reward, howMany).filter(isOf(owner)) };
    }),
    owned(groupRewardsByProgram(tx, projectId), ({ reward, howMany }) => {
      const owner = reward.programId;
      return { owner, figures: figuresOf(reward, howMany).filter(isOf(owner)) };
    }),
    owned(groupRewardsByPeriod(tx, projectId), ({ period, howMany, ...rule }) => ({
      owner: period,
      figures: [
        periodFigureOf({ ...rule, referralId: period, beneficiaryParticipantId: period }, howMany),
      ],
    })),
    owned(groupSignupRewards(tx, projectId), ({ personId, howMany, ...rule }) => ({
      owner: personId,
      figures: [onceFigureOf(rule, personId, howMany)],
    })),
    owned(groupReferralsByReferrer(tx, projectId), ({ howMany, ...referral }) => {
      const owner = referral.referrerParticipantId;
      return { owner, figures: referralFiguresOf(referral, howMany).filter(isOf(owner)) };
    }),
    owned(groupReferralsByProgram(tx, projectId), ({ howMany, ...referral }) => {
      const owner = referral.programId;
      return { owner, figures: referralFiguresOf(referral, howMany).filter(isOf(owner)) };
    }),
    owned(groupEventsByProgram(tx, projectId), ({ howMany, ...event }) => {
      const owner = event.programId;
      return { owner, figures: eventFiguresOf(projectId, event, howMany).filter(isOf(owner)) };
    }),
    owned(groupEventsByDay(tx, projectId), ({ howMany, ...event }) => ({
      owner: projectId,
      figures: eventFiguresOf(projectId, { ...event, programId: null }, howMany),
    })),
    owned(groupReferralsByLink(tx, projectId), ({ howMany, ...referral }) => {
      const owner = referral.linkId;
      return { owner, figures: referralFiguresOf(referral, howMany).filter(isOf(owner)) };
    }),
    owned(groupCustomersByProgram(tx, projectId), ({ howMany, ...referral }) => {
      const owner = referral.programId;
      return { owner, figures: customerFiguresOf(referral, howMany).filter(isOf(owner)) };
    }),
    owned(groupCustomersByReferrer(tx, projectId), ({ howMany, ...referral }) => {
      const owner = referral.referrerParticipantId;
      return { owner, figures: customerFiguresOf(referral, howMany).filter(isOf(owner)) };
    }),
    owned(groupCustomersByLink(tx, projectId), ({ howMany, ...referral }) => {
      const owner = referral.linkId;
      return { owner, figures: customerFiguresOf(referral, howMany).filter(isOf(owner)) };
    }),
    owned(groupPurchasesByProgram(tx, projectId), (purchase) => {
      const owner = purchase.programId;
      return { owner, figures: revenueFiguresOf(purchase, purchase).filter(isOf(owner)) };
    }),
    owned(groupPurchasesByReferrer(tx, projectId), (purchase) => {
      const owner = purchase.referrerParticipantId;
      return { owner, figures: revenueFiguresOf(purchase, purchase).filter(isOf(owner)) };
    }),
    owned(groupPurchasesByLink(tx, projectId), (purchase) => {
      const owner = purchase.linkId;
      return { owner, figures: revenueFiguresOf(purchase, purchase).filter(isOf(owner)) };
    }),
    owned(groupMeasures(tx, projectId), ({ subject, part, name, value }) => ({
      owner: subject,
      figures: [{ subject, part, name, value: BigInt(value) }],
    })),
    ...[groupSignalsByProgram, groupSignalsOfProject].map((group) =>
      owned(group(tx, projectId), ({ howMany, ...one }) => ({
        owner: one.subject,
        figures: [{ ...one, value: howMany }],
      })),
    ),
    owned(listStarts(tx, projectId), ({ id, starts }) => ({
      owner: id,
      figures: starts.flatMap((start) => startFigures(id, start)),
    })),
    owned(groupClicksByProgram(tx, projectId), (count) => {
      const owner = count.programId;
      return { owner, figures: clickFiguresOf([count]).filter(isOf(owner)) };
    }),
    owned(groupClicksByLink(tx, projectId), (count) => {
      const owner = count.sharedId;
      return { owner, figures: clickFiguresOf([count]).filter(isOf(owner)) };
    }),
    owned(groupReferralsByPartnerDay(tx, projectId), ({ howMany, ...referral }) =>
      ofReferrer(referral, referralDaysOf(referral, howMany)),
    ),
    owned(groupCustomersByPartnerDay(tx, projectId), ({ howMany, ...referral }) =>
      ofReferrer(referral, customerDaysOf(referral, howMany)),
    ),
    owned(groupPurchasesByPartnerDay(tx, projectId), ({ howMany, ...credit }) =>
      ofReferrer(credit, purchaseDaysOf(credit, howMany)),
    ),
    owned(groupRevenueByPartnerDay(tx, projectId), (purchase) =>
      ofReferrer(purchase, revenueDaysOf(purchase, purchase)),
    ),
    owned(groupReferralsByCampaign(tx, projectId), ({ howMany, customers, ...referral }) => ({
      owner: campaignsOf(referral.programId),
      figures: [
        ...campaignReferralsOf(referral, howMany),
        ...campaignCustomersOf({ ...referral, firstPurchaseAt: '' }, customers),
      ],
    })),
    owned(groupRevenueByCampaign(tx, projectId), (purchase) => ({
      owner: campaignsOf(purchase.programId),
      figures: campaignRevenueOf(purchase, purchase),
    })),
    owned(groupRewardsByPartnerDay(tx, projectId), ({ reward }) => ({
      owner: daysOf(reward.beneficiaryParticipantId, reward.programId),
      figures: earnedDaysOf(reward),
    })),
  ];
  let done = 0;
  for await (const [stored = [], ...recounted] of mergeByOwner(streams)) {
    visit(stored, recounted.flat());
    done += new Set(stored.map(({ part }) => part)).size;
    progress('counters', done, total);
  }
}

function isOf(owner: string): (one: Figure) => boolean {
  return ({ subject }) => subject === owner;
}

/** Figures of a partner's days in a program. */
function ofReferrer(
  referral: { readonly referrerParticipantId: string; readonly programId: string },
  figures: readonly Figure[],
): OwnedFigures {
  return { owner: daysOf(referral.referrerParticipantId, referral.programId), figures };
}

async function* mapped<R>(
  pages: AsyncIterable<readonly R[]>,
  toOwned: (row: R) => OwnedFigures,
): AsyncGenerator<OwnedFigures[]> {
  for await (const page of pages) yield page.map(toOwned);
}

function owned<R>(
  pages: AsyncIterable<readonly R[]>,
  toOwned: (row: R) => OwnedFigures,
): AsyncGenerator<OwnedFigures> {
  return groupByOwner(mapped(pages, toOwned));
}

/** Stored figures that differ from a recount. A missing figure counts as zero. */
export function compareFigures(
  stored: readonly Figure[],
  recounted: readonly Figure[],
): Difference[] {
  const [kept, due] = [tallyOf(stored), tallyOf(recounted)];
  return [...new Set([...kept.keys(), ...due.keys()])].flatMap((key) => {
    const [here, there] = [kept.get(key), due.get(key)];
    const { subject, part, name } = (here ?? there) as Figure;
    const id = [subject, part, name].filter((word) => word !== '').join(' ');
    const [value, dueValue] = [here?.value ?? 0n, there?.value ?? 0n];
    return value === dueValue ? [] : [difference(['counter', id], 'value', value, dueValue)];
  });
}

function tallyOf(figures: readonly Figure[]): Tally {
  const tally: Tally = new Map();
  for (const one of figures) addToTally(tally, one);
  return tally;
}
