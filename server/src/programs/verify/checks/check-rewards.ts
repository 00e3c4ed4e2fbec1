import { loadBook } from '../../../domain/programs/book/load-book.ts';
import { listAuditedRewards } from '../stores/fact-store.ts';
import { countRows } from '../stores/page-store.ts';
import { type CheckContext, walk } from './check-context.ts';
import { checkState } from './check-state.ts';
import { followAdjustments } from './follow-adjustments.ts';
import { recomputeReward } from './recompute-reward.ts';

/** Every reward matches its terms, its net matches its adjustments, and its state is possible. */
export async function checkRewards(context: CheckContext): Promise<void> {
  const { tx, projectId } = context;
  const book = await loadBook(tx, projectId);
  const rules = [...book.programs.values()].flatMap((program) => program.rules);
  const termsOf = new Map(rules.flatMap((rule) => rule.terms.map((one) => [one.id, one])));
  const total = await countRows(tx, projectId, 'rewards');
  const pages = listAuditedRewards(tx, projectId);
  await walk(context, { what: 'rewards', total, pages }, (reward) => {
    context.report(checkState(reward));
    const terms = termsOf.get(reward.termsVersionId);
    // Missing terms are reported with the other broken references.
    if (!terms) return;
    context.report(recomputeReward(reward, terms));
    context.report(followAdjustments(reward, terms));
  });
}
