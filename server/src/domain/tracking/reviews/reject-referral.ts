import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { loadFigures, saveFigures } from '../../../platform/figures/figures.ts';
import { addToTally, type Figure, type Tally } from '../../../platform/figures/tally.ts';
import { PROGRAM_BOOK } from '../../programs/load-book.ts';
import {
  announceChanges,
  listMilestones,
  saveRewardChanges,
} from '../../rewards/change/save-rewards.ts';
import type { ReviewRow } from '../../risk/reviews/review.ts';
import { fallenMilestones } from '../batch/measure-needs.ts';
import { settleMilestone } from '../decide/settle-milestones.ts';
import { listReferralsOfPeople } from '../store.ts';
import { rejectedFigures } from './rejected-figures.ts';
import { listCreditedPurchases } from './rejection-store.ts';

/**
 * Takes what a referral has counted out of the measures of its sides, once, and settles the milestones that they no
 * longer reach. Call it with the decision, before its Rewards are settled.
 */
export async function leaveOutOfMeasures(
  write: ProjectWrite,
  { programId, referralId, referrerParticipantId, refereeParticipantId }: ReviewRow,
): Promise<void> {
  const { tx, projectId, config } = write;
  const sides = [referrerParticipantId, refereeParticipantId];
  const [book, figures, referrals, purchases] = await Promise.all([
    config(PROGRAM_BOOK),
    loadFigures(tx, projectId, sides),
    listReferralsOfPeople(tx, projectId, [refereeParticipantId]),
    listCreditedPurchases(tx, projectId, referralId, refereeParticipantId),
  ]);
  const program = book.programs.get(programId);
  const referral = referrals.find(({ id }) => id === referralId);
  if (!program || !referral) throw new Error(`Referral ${referralId} of a review does not exist.`);
  const counted = rejectedFigures(referral, purchases, book);
  saveFigures(tx, projectId, counted);
  const after = addAll(figures, counted);
  const asked = fallenMilestones(program, [figures, after], sides);
  if (asked.length === 0) return;
  const found = await listMilestones(tx, projectId, asked, 0);
  const before = found.filter((row) => row.programId === programId);
  const settled = before.map((row) => settleMilestone(row, { book, figures: after }, write));
  saveRewardChanges(write, before, settled);
  const voided = settled.filter((row, at) => row.void !== null && before[at]?.void === null);
  await announceChanges(write, 'reward.voided', voided);
}

function addAll(figures: Tally, more: readonly Figure[]): Tally {
  const sum: Tally = new Map([...figures].map(([key, one]) => [key, { ...one }]));
  for (const one of more) addToTally(sum, one);
  return sum;
}
