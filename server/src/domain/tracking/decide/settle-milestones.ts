import { findTerms } from '../../programs/program-book.ts';
import { holdMilestone } from '../../rewards/decide/hold-milestone.ts';
import { loseMilestone } from '../../rewards/decide/lose-milestone.ts';
import type { Moment } from '../../rewards/decide/reward-decision.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { Ledger, LedgerView } from '../batch/ledger.ts';
import { readMeasure, readStake } from '../batch/measures.ts';
import { announceVoided } from './grant-rewards.ts';

/**
 * After a purchase was counted or has changed: voids what its beneficiaries earned for milestones that they no longer
 * reach, and holds what they reach only with disputed purchases.
 */
export function settleMilestones(ledger: Ledger, purchaseId: string): void {
  const { credits, purchases } = ledger.view;
  const credit = credits.get(purchaseId);
  if (credit) {
    const { programId, referrerParticipantId, refereeParticipantId } = credit;
    settleOf(ledger, programId, [referrerParticipantId, refereeParticipantId]);
  }
  const purchase = purchases.get(purchaseId);
  if (!purchase) return;
  for (const programId of purchase.loyaltyProgramIds) {
    settleOf(ledger, programId, [purchase.participantId]);
  }
}

function settleOf(ledger: Ledger, programId: string, beneficiaryIds: readonly string[]): void {
  const { view } = ledger;
  const voided: RewardRow[] = [];
  for (const before of view.milestones.values()) {
    const { beneficiaryParticipantId: beneficiaryId } = before;
    if (before.programId !== programId || !beneficiaryIds.includes(beneficiaryId)) continue;
    const after = settleMilestone(before, view, ledger);
    if (after === before) continue;
    ledger.changeReward(before, after);
    if (before.void === null && after.void !== null) voided.push(after);
  }
  announceVoided(ledger, voided);
}

/** The Reward of a milestone by what its measure is now: lost, on hold or due. The same row if nothing changes. */
export function settleMilestone(
  before: RewardRow,
  { book, figures }: Pick<LedgerView, 'book' | 'figures'>,
  moment: Moment,
): RewardRow {
  const { programId, beneficiaryParticipantId: beneficiaryId, beneficiaryRole: role } = before;
  const measure = before.arithmetic.milestone?.measure ?? 'referrals';
  const { currency } = findTerms(book, before);
  const asked = { beneficiaryId, role, measure, currency };
  const ever = { window: 'all_time', receivedAt: moment.now } as const;
  const { value } = readMeasure(figures, programId, { ...asked, ...ever });
  const atStake = readStake(figures, programId, asked);
  return holdMilestone(loseMilestone(before, value, moment), { value, atStake }, moment.now);
}
