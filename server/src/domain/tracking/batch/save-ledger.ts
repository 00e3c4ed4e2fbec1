import { recordOwnAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { saveIdentities } from '../../attribution/identities.ts';
import { handleMs } from '../../clicks/handle.ts';
import { savePartnerDays } from '../../participants/save-partner-days.ts';
import {
  insertParticipants,
  markReferred,
  saveEnrollments,
} from '../../participants/write-participants.ts';
import { longestWindow } from '../../programs/program-book.ts';
import { addToEnrollmentCounts } from '../../programs/update-counts.ts';
import {
  holdRewardsOf,
  saveChangedRewards,
  saveRewardAdjustments,
  saveRewards,
} from '../../rewards/change/save-rewards.ts';
import { saveReviews } from '../../risk/reviews/save-reviews.ts';
import { newSidesOf, sidesOf } from '../decide/attribute.ts';
import { insertAdjustments, updatePurchaseTotals, updateRestored } from './adjustment-store.ts';
import { deleteEarly, deleteSourceKeys, insertEarly } from './early-store.ts';
import {
  insertCodeTouches,
  insertEvents,
  insertPurchases,
  insertReferrals,
  insertSignups,
  insertSourceKeys,
  updateEvents,
  updateFirstPurchases,
  updateReviewStatuses,
} from './fact-store.ts';
import type { DroppedAdjustment } from './facts.ts';
import type { Ledger } from './ledger.ts';
import { stakedMilestones } from './measure-needs.ts';
import { insertSubscriptionFacts, updateSubscriptionFacts } from './subscription-store.ts';

/** Saves the result of a fold, each kind of row in one statement, without waiting for any. */
export function saveLedger(
  write: ProjectWrite,
  { made, view, identities }: Ledger,
  newPeople: Parameters<typeof insertParticipants>[1],
): void {
  const { tx, projectId, now } = write;
  insertParticipants(write, newPeople, sidesOf(made.referrals));
  const some = <T>(rows: Iterable<T>, save: (rows: T[]) => void) => {
    const list = [...rows];
    if (list.length > 0) save(list);
  };
  // Deletions first: a dropped fact may have been sent again in the same batch.
  some(made.early.removed, (ids) => deleteEarly(tx, projectId, ids));
  some(made.forgotten, (keys) => deleteSourceKeys(tx, projectId, keys));
  some(made.events.added.values(), (rows) => insertEvents(tx, projectId, now, rows));
  some(made.events.changed.values(), (rows) => updateEvents(tx, projectId, now, rows));
  some(made.keys, (rows) => insertSourceKeys(tx, projectId, rows));
  some(made.signups, (rows) => insertSignups(tx, projectId, rows));
  some(made.purchases.added.values(), (rows) => insertPurchases(tx, projectId, now, rows));
  some(made.purchases.changed.values(), (rows) => updatePurchaseTotals(tx, projectId, rows));
  some(made.adjustments.added.values(), (rows) => insertAdjustments(tx, projectId, now, rows));
  some(made.adjustments.changed.values(), (rows) => updateRestored(tx, projectId, rows));
  some(made.early.added.values(), (rows) => insertEarly(tx, projectId, rows));
  some(made.subscriptionFacts.added.values(), (rows) =>
    insertSubscriptionFacts(tx, projectId, rows),
  );
  some(made.subscriptionFacts.changed.values(), (rows) =>
    updateSubscriptionFacts(tx, projectId, rows),
  );
  some(made.touches, (rows) => {
    // A touch by a code lasts as long as a click's.
    const lifeMs = handleMs(longestWindow(view.book, now));
    insertCodeTouches(tx, projectId, rows, { now, lifeMs });
  });
  some(made.referrals, (rows) => {
    insertReferrals(tx, projectId, rows);
    markReferred(tx, projectId, newSidesOf(rows, view, newPeople));
  });
  some(made.bought.values(), (rows) => updateFirstPurchases(tx, projectId, rows));
  some(made.reviews, (rows) => saveReviews(tx, projectId, rows));
  some(made.reviewed.values(), (rows) => updateReviewStatuses(tx, projectId, rows));
  some(made.enrollments, (rows) => {
    saveEnrollments(tx, projectId, rows);
    for (const [programId, delta] of countByProgram(rows)) {
      addToEnrollmentCounts(tx, projectId, [programId], delta);
    }
  });
  some(made.rewards.added.values(), (rows) => saveRewards(tx, projectId, rows));
  some(made.rewards.changed.values(), (rows) => saveChangedRewards(tx, projectId, rows));
  // After the others, which are held already.
  some(made.reviews, (reviews) =>
    holdRewardsOf(tx, projectId, now, {
      referralIds: [...made.reviewed.keys()],
      milestones: reviews.flatMap(({ programId, referrerParticipantId, refereeParticipantId }) => {
        const program = view.book.programs.get(programId);
        const sides = [referrerParticipantId, refereeParticipantId];
        return program ? stakedMilestones(program, view.figures, sides) : [];
      }),
    }),
  );
  some(made.rewardAdjustments, (rows) => saveRewardAdjustments(tx, projectId, rows));
  saveFigures(tx, projectId, made.counted.values());
  savePartnerDays(tx, projectId, made.unsureDays.values());
  saveIdentities(write, identities);
}

function countByProgram(rows: readonly { readonly programId: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { programId } of rows) counts.set(programId, (counts.get(programId) ?? 0) + 1);
  return counts;
}

/** Records for operators which adjustments were dropped, and why. */
export function auditDropped(
  write: ProjectWrite,
  dropped: readonly DroppedAdjustment[],
): Promise<void> {
  const notes = dropped.map(({ early, reason }) => {
    const { sourceNamespaceId, sourceEventId, kind, purchase } = early.input;
    return {
      action: 'adjustment.drop',
      targetType: 'purchase_adjustment',
      targetId: early.id,
      changes: { reason, kind, sourceNamespaceId, sourceEventId, purchase },
    };
  });
  return recordOwnAudit(write, 'tracking', notes);
}
