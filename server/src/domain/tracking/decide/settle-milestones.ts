import { findTerms } from '../../programs/program-book.ts';
import { holdMilestone, type StakedMeasure } from '../../rewards/decide/hold-milestone.ts';
import { loseMilestone } from '../../rewards/decide/lose-milestone.ts';
import type { Moment } from '../../rewards/decide/reward-decision.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { PurchaseCredit } from '../batch/facts.ts';
import type { Ledger, LedgerView } from '../batch/ledger.ts';
import { readStaked } from '../batch/measures.ts';
import { announceVoided } from './grant-rewards.ts';

/**
 * After a purchase was counted or has changed: settles the milestones of its beneficiaries.
 */
export function settleMilestones(ledger: Ledger, purchaseId: string): void {
  const { credits, purchases } = ledger.view;
  const credit = credits.get(purchaseId);
  if (credit) {
    settleSides(ledger, credit);
  }
  const purchase = purchases.get(purchaseId);
  if (!purchase) return;
  for (const programId of purchase.loyaltyProgramIds) {
    settleOf(ledger, programId, [purchase.participantId]);
  }
}

/**
 * After what a referral counts has changed: voids what its sides earned for milestones that they no longer reach, and holds
 * what they reach only with disputed purchases or referrals under review.
 */
export function settleSides(
  ledger: Ledger,
  {
    programId,
    referrerParticipantId,
    refereeParticipantId,
  }: Pick<PurchaseCredit, 'programId' | 'referrerParticipantId' | 'refereeParticipantId'>,
): void {
  settleOf(ledger, programId, [referrerParticipantId, refereeParticipantId]);
}

/**
 * Before the facts of a batch, those that are held for reviews: a decision may not be carried out yet on what was loaded,
 * and starting measures may have been imported since the last fact.
 */
export function settleLoaded(ledger: Ledger): void {
  settleSome(ledger, (one) => one.isUnderReview);
}

function settleOf(ledger: Ledger, programId: string, beneficiaryIds: readonly string[]): void {
  settleSome(
    ledger,
    (one) => one.programId === programId && beneficiaryIds.includes(one.beneficiaryParticipantId),
  );
}

function settleSome(ledger: Ledger, isAsked: (milestone: RewardRow) => boolean): void {
  const { view } = ledger;
  const voided: RewardRow[] = [];
  const stakesOf = stakesReader(view);
  for (const before of view.milestones.values()) {
    if (!isAsked(before)) continue;
    const after = settleMilestone(before, stakesOf(before), ledger);
    if (after === before) continue;
    ledger.changeReward(before, after);
    if (before.void === null && after.void !== null) voided.push(after);
  }
  announceVoided(ledger, voided);
}

/** Returns what a milestone's measure is now. It reads each measure once: nothing may be counted meanwhile. */
export function stakesReader({
  book,
  figures,
}: Pick<LedgerView, 'book' | 'figures'>): (milestone: RewardRow) => StakedMeasure {
  const known = new Map<string, StakedMeasure>();
  return (milestone) => {
    const { programId, beneficiaryParticipantId: beneficiaryId, beneficiaryRole: role } = milestone;
    const measure = milestone.arithmetic.milestone?.measure ?? 'referrals';
    const { currency } = findTerms(book, milestone);
    const key = [programId, beneficiaryId, role, measure, currency].join(' ');
    const measured =
      known.get(key) ?? readStaked(figures, programId, { beneficiaryId, role, measure, currency });
    known.set(key, measured);
    return measured;
  };
}

/** The Reward of a milestone by what its measure is now: lost, on hold or due. The same row if nothing changes. */
export function settleMilestone(
  before: RewardRow,
  measured: StakedMeasure,
  moment: Moment,
): RewardRow {
  return holdMilestone(loseMilestone(before, measured.value, moment), measured, moment);
}
