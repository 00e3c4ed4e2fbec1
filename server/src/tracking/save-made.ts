import type { ProjectWrite } from '../feed/project-write.ts';
import { markReferred, saveEnrollments } from '../participants/referral-parties.ts';
import { addToEnrollmentCounts } from '../programs/count-enrollments.ts';
import { addToReferralCounts } from '../programs/count-referrals.ts';
import { saveRewards } from '../rewards/save-rewards.ts';
import type { Made } from './recorder.ts';
import {
  addToCounters,
  insertCodeTouches,
  insertEvents,
  insertPurchases,
  insertReferrals,
  insertSignups,
  insertSourceKeys,
  updateDecidedEvents,
} from './store.ts';

/** Saves what a fold made, each kind of row in one statement, none waited for. */
export function saveMade({ tx, projectId, now }: ProjectWrite, made: Made): void {
  if (made.events.length > 0) insertEvents(tx, projectId, now, made.events);
  if (made.decided.length > 0) updateDecidedEvents(tx, projectId, now, made.decided);
  if (made.keys.length > 0) insertSourceKeys(tx, projectId, made.keys);
  if (made.signups.length > 0) insertSignups(tx, projectId, made.signups);
  if (made.purchases.length > 0) insertPurchases(tx, projectId, now, made.purchases);
  if (made.touches.length > 0) insertCodeTouches(tx, projectId, now, made.touches);
  if (made.referrals.length > 0) insertReferrals(tx, projectId, made.referrals);
  markReferred(tx, projectId, made.referrals);
  addToReferralCounts(tx, projectId, made.referrals);
  saveEnrollments(tx, projectId, made.enrollments);
  for (const [programId, delta] of countByProgram(made.enrollments)) {
    addToEnrollmentCounts(tx, projectId, [programId], delta);
  }
  saveRewards(tx, projectId, made.rewards);
  const changes = [...made.counted].map(([key, change]) => {
    const [subject = '', name = ''] = key.split('\n');
    return { subject, name, ...change };
  });
  if (changes.length > 0) addToCounters(tx, projectId, changes);
}

function countByProgram(rows: readonly { readonly programId: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { programId } of rows) counts.set(programId, (counts.get(programId) ?? 0) + 1);
  return counts;
}
