import { holdForReview } from '../../rewards/decide/review-reward.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import { decideOpening } from '../../risk/decide/decide-opening.ts';
import type { PinnedVerdict } from '../../risk/decide/risk-facts.ts';
import { reviewData } from '../../risk/reviews/review-data.ts';
import type { TrackedEvent } from '../batch/facts.ts';
import type { Ledger } from '../batch/ledger.ts';
import type { Referral } from '../event-schema.ts';
import { settleSides } from './settle-milestones.ts';

/**
 * Opens the review of a referral if the verdict asks for one: its Rewards are held, and so are those that it earns from
 * now on, and milestones that are reached only with it. Returns the id of the review, null if none was opened. Call it before the Rewards of the Event are announced.
 */
export function openReview(
  ledger: Ledger,
  event: Pick<TrackedEvent, 'id'>,
  { refereeParticipantId }: Pick<Referral, 'refereeParticipantId'>,
  verdict: PinnedVerdict,
): string | null {
  const referral = ledger.view.referrals.get(refereeParticipantId);
  if (!referral) throw new Error(`Referral ${verdict.referralId} is not loaded.`);
  const review = decideOpening(referral, verdict, {
    eventId: event.id,
    now: ledger.now,
    newId: ledger.newId,
    nextNumber: () => ledger.nextNumber('riskReviews'),
  });
  if (!review) return null;
  ledger.addReview(review, referral);
  for (const reward of loadedRewardsOf(ledger, referral.id)) {
    const held = holdForReview(reward, ledger.now);
    if (held !== reward) ledger.changeReward(reward, held);
  }
  settleSides(ledger, referral);
  ledger.announce('risk.review_opened', () => reviewData(review));
  return review.id;
}

/** Those of a referral that were earned or loaded in this batch; saving holds the others. */
function loadedRewardsOf({ made, view }: Ledger, referralId: string): RewardRow[] {
  const known = new Map(
    [
      ...[...view.rewardsOf.values()].flatMap((rewards) => [...rewards.values()]),
      ...view.milestones.values(),
      ...made.rewards.added.values(),
      ...made.rewards.changed.values(),
    ].map((reward) => [reward.id, reward] as const),
  );
  return [...known.values()].filter((reward) => reward.referralId === referralId);
}
