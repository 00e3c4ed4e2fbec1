import { findFirstUses } from '../../../accounts/workspaces/queries.ts';
import type { FirstUse, UsageLog } from '../../../accounts/workspaces/usage/usage-log.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { decideFirstSteps } from './decide-first-steps.ts';
import { findFirstFacts } from './first-steps-queries.ts';

/** What this process has seen and not saved yet counts as well. */
export async function showFirstSteps(
  { reads, usage }: { readonly reads: Queryable; readonly usage: Pick<UsageLog, 'usesOf'> },
  projectId: string,
) {
  const [facts, saved] = await Promise.all([
    findFirstFacts(reads, projectId),
    findFirstUses(reads, projectId),
  ]);
  if (!facts) return [];
  const uses = [...(Object.keys(saved?.uses ?? {}) as FirstUse[]), ...usage.usesOf(projectId)];
  return decideFirstSteps(facts, new Set(uses));
}
