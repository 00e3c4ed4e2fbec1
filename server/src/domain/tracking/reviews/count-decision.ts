import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { loadFigures, saveFigures } from '../../../platform/figures/figures.ts';
import { PROGRAM_BOOK } from '../../programs/load-book.ts';
import {
  announceChanges,
  listStakedMilestones,
  saveRewardChanges,
} from '../../rewards/change/save-rewards.ts';
import type { ReviewRow } from '../../risk/reviews/review.ts';
import { stakedMilestones } from '../batch/measure-needs.ts';
import { settleMilestone, stakesReader } from '../decide/settle-milestones.ts';
import { listReferralsOfPeople } from '../store.ts';
import { decidedFigures } from './decided-figures.ts';
import { listCreditedPurchases } from './rejection-store.ts';

/**
 * What a referral has counted is no longer under review, and leaves the measures of its sides if it was rejected. Call it
 * once, with the decision.
 */
export async function countDecision(
  { tx, projectId, config }: ProjectWrite,
  { status, referralId, referrerParticipantId, refereeParticipantId }: ReviewRow,
): Promise<void> {
  const [book, figures, referrals, purchases] = await Promise.all([
    config(PROGRAM_BOOK),
    loadFigures(tx, projectId, [referrerParticipantId, refereeParticipantId]),
    listReferralsOfPeople(tx, projectId, [refereeParticipantId]),
    status === 'rejected'
      ? listCreditedPurchases(tx, projectId, referralId, refereeParticipantId)
      : [],
  ]);
  const referral = referrals.find(({ id }) => id === referralId);
  if (!referral) throw new Error(`Referral ${referralId} of a review does not exist.`);
  const decided = { ...referral, reviewStatus: status };
  saveFigures(
    tx,
    projectId,
    decidedFigures(decided, { figures: figures.values(), purchases, book }),
  );
}

/**
 * Settles a slice of the milestones that both sides of a referral have earned, by their measures as they are now. Returns
 * the number of the last one; null if none is left. Those that a decision takes away were on hold before it, and stay so
 * until their turn.
 */
export async function settleMilestonesOf(
  write: ProjectWrite,
  { programId, referrerParticipantId, refereeParticipantId }: ReviewRow,
  page: { readonly above: number; readonly limit: number },
): Promise<number | null> {
  const { tx, projectId, config } = write;
  const sides = [referrerParticipantId, refereeParticipantId];
  const [book, figures] = await Promise.all([
    config(PROGRAM_BOOK),
    loadFigures(tx, projectId, sides),
  ]);
  const program = book.programs.get(programId);
  if (!program) throw new Error(`Program ${programId} of a review does not exist.`);
  const asked = stakedMilestones(program, figures, sides);
  if (asked.length === 0) return null;
  const before = await listStakedMilestones(tx, projectId, asked, page);
  const stakesOf = stakesReader({ book, figures });
  const settled = before.map((row) => settleMilestone(row, stakesOf(row), write));
  saveRewardChanges(write, before, settled);
  const granted = settled.filter((row, at) => row.fulfillment !== before[at]?.fulfillment);
  await announceChanges(write, 'reward.fulfilled', granted);
  const voided = settled.filter((row, at) => row.void !== null && before[at]?.void === null);
  await announceChanges(write, 'reward.voided', voided);
  return before.length < page.limit ? null : (before.at(-1)?.number ?? null);
}
