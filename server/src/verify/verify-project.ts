import type { Database, Tx } from '../db/database.ts';
import { checkCounters } from './check-counters.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkEvents } from './check-events.ts';
import { checkLinks } from './check-links.ts';
import { checkNumbers } from './check-numbers.ts';
import { checkPayouts } from './check-payouts.ts';
import { checkPurchases } from './check-purchases.ts';
import { checkRewardDeliveries } from './check-reward-deliveries.ts';
import { checkRewards } from './check-rewards.ts';
import { checkRules } from './check-rules.ts';
import { checkStripe } from './check-stripe.ts';
import { difference } from './finding.ts';
import { Findings } from './findings.ts';
import type { Check, Look } from './look.ts';
import { findProjectParts } from './store.ts';

const CHECKS: readonly Check[] = [
  checkNumbers,
  checkLinks,
  checkRules,
  checkEvents,
  checkPurchases,
  checkRewards,
  checkCounters,
  checkDeliveries,
  checkPayouts,
  checkRewardDeliveries,
  checkStripe,
];

/**
 * Looks at a Project as it is at one moment, while others may go on writing to it, and
 * changes nothing.
 */
export function verifyProject(
  database: Database,
  projectId: string,
  progress?: Look['progress'],
): Promise<Findings> {
  return database.snapshot((tx) => examineProject(tx, projectId, progress));
}

/** The same within a transaction: what it has written is looked at, too. */
export async function examineProject(
  tx: Tx,
  projectId: string,
  progress: Look['progress'] = () => undefined,
): Promise<Findings> {
  const findings = new Findings(projectId);
  const { hasProject, head } = await findProjectParts(tx, projectId);
  if (!hasProject) findings.add([difference('project', projectId, 'row', null, 'one row')]);
  if (head === null) {
    findings.add([difference('head', projectId, 'row', null, 'one row')]);
    return findings;
  }
  const report: Look['report'] = (differences) => findings.add(differences);
  for (const check of CHECKS) await check({ tx, projectId, head, report, progress });
  return findings;
}
