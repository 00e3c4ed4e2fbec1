import { loadBook } from '../../../domain/programs/book/load-book.ts';
import { listAuditedRewards } from '../stores/fact-store.ts';
import { countRows } from '../stores/page-store.ts';
import { checkState } from './check-state.ts';
import { followAdjustments } from './follow-adjustments.ts';
import { type Look, walk } from './look.ts';
import { recomputeReward } from './recompute-reward.ts';

/** Every Reward is what its terms give, worth what its adjustments leave, and in a state that can be. */
export async function checkRewards(look: Look): Promise<void> {
  const { tx, projectId } = look;
  const book = await loadBook(tx, projectId);
  const rules = [...book.programs.values()].flatMap((program) => program.rules);
  const termsOf = new Map(rules.flatMap((rule) => rule.terms.map((one) => [one.id, one])));
  const total = await countRows(tx, projectId, 'rewards');
  const pages = listAuditedRewards(tx, projectId);
  await walk(look, { what: 'rewards', total, pages }, (reward) => {
    look.report(checkState(reward));
    const terms = termsOf.get(reward.termsVersionId);
    // That terms are missing is told with the other broken references.
    if (!terms) return;
    look.report(recomputeReward(reward, terms));
    look.report(followAdjustments(reward, terms));
  });
}
