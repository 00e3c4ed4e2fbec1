import type { Database, Tx } from '../../platform/db/database.ts';
import type { Check, CheckContext } from './checks/check-context.ts';
import { checkCounters } from './checks/check-counters.ts';
import { checkEvents } from './checks/check-events.ts';
import { checkNumbers } from './checks/check-numbers.ts';
import { checkPurchases } from './checks/check-purchases.ts';
import { checkRewards } from './checks/check-rewards.ts';
import {
  checkDeliveries,
  checkLinks,
  checkPayouts,
  checkRewardDeliveries,
  checkRules,
  checkStripe,
} from './checks/check-rows.ts';
import { difference } from './finding.ts';
import { Findings } from './findings.ts';
import { findProjectParts } from './stores/store.ts';

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

/** Verifies a snapshot of a project, while others may continue to write to it. Changes nothing. */
export function verifyProject(
  database: Database,
  projectId: string,
  progress?: CheckContext['progress'],
): Promise<Findings> {
  return database.snapshot((tx) => examineProject(tx, projectId, progress));
}

/** The same within a transaction, including what it has written. */
export async function examineProject(
  tx: Tx,
  projectId: string,
  progress: CheckContext['progress'] = () => undefined,
): Promise<Findings> {
  const findings = new Findings(projectId);
  const { hasProject, head } = await findProjectParts(tx, projectId);
  if (!hasProject)
    findings.add([difference('project', projectId, 'row', { stored: null, expected: 'one row' })]);
  if (head === null) {
    findings.add([difference('head', projectId, 'row', { stored: null, expected: 'one row' })]);
    return findings;
  }
  const report: CheckContext['report'] = (differences) => findings.add(differences);
  for (const check of CHECKS) await check({ tx, projectId, head, report, progress });
  return findings;
}
