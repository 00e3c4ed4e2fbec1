import type { Database, Tx } from '../../platform/db/database.ts';
import { saveFigures } from '../../platform/figures/figures.ts';
import { differenceOf, type Figure } from '../../platform/figures/tally.ts';
import { notFound } from '../../platform/kit/errors.ts';
import type { Check, CheckContext } from './checks/check-context.ts';
import { checkCounters, recount } from './checks/check-counters.ts';
import { checkEvents } from './checks/check-events.ts';
import { checkNumbers } from './checks/check-numbers.ts';
import { checkPurchases } from './checks/check-purchases.ts';
import { checkRewards } from './checks/check-rewards.ts';
import {
  checkDeliveries,
  checkLinks,
  checkPayouts,
  checkReviews,
  checkRewardDeliveries,
  checkRules,
  checkStripe,
} from './checks/check-rows.ts';
import { checkSearchKeys } from './checks/check-search-keys.ts';
import { type Difference, difference, Findings } from './findings.ts';
import { fillSignupPersons, lockProject } from './stores/recount-store.ts';
import { countProjects, findProjectParts, listProjectIds } from './stores/store.ts';

const PAGE = 500;

export interface Watcher {
  /** The project, and its place among how many. */
  begin(projectId: string, place: number, of: number): void;
  readonly progress: CheckContext['progress'];
  /** How many counters were wrong and have been corrected. */
  recounted(corrected: number): void;
  end(findings: Findings): void;
}

/** Differences of a project from records outside the store. */
export type AskOthers = (projectId: string) => Promise<Difference[]>;

export interface VerifyOptions {
  readonly askOthers?: AskOthers | undefined;
  /** Corrects the counters that decide about rewards first. */
  readonly recounts?: boolean;
}

/** Verifies one project, or all of them for null, one after another. Fails with NOT_FOUND. */
export async function verifyAll(
  database: Database,
  projectId: string | null,
  watcher: Watcher,
  { askOthers, recounts = false }: VerifyOptions = {},
): Promise<void> {
  const verify = async (id: string, place: number, of: number) => {
    watcher.begin(id, place, of);
    if (recounts) watcher.recounted(await recountProject(database, id, watcher.progress));
    const findings = await verifyProject(database, id, watcher.progress);
    if (askOthers) findings.add(await askOthers(id));
    watcher.end(findings);
  };
  if (projectId !== null) {
    const { hasProject, head } = await database.snapshot((tx) => findProjectParts(tx, projectId));
    if (!hasProject && head === null) throw notFound('project');
    await verify(projectId, 1, 1);
    return;
  }
  const total = await countProjects(database.reads);
  let place = 0;
  let page = await listProjectIds(database.reads, '', PAGE);
  while (page.length > 0) {
    for (const id of page) {
      place += 1;
      await verify(id, place, Math.max(place, total));
    }
    page = await listProjectIds(database.reads, page.at(-1) as string, PAGE);
  }
}

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
  checkReviews,
  checkRewardDeliveries,
  checkStripe,
  checkSearchKeys,
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
  if (!hasProject) findings.add([difference(['project', projectId], 'row', null, 'one row')]);
  if (head === null) {
    findings.add([difference(['head', projectId], 'row', null, 'one row')]);
    return findings;
  }
  const report: CheckContext['report'] = (differences) => findings.add(differences);
  for (const check of CHECKS) await check({ tx, projectId, head, report, progress });
  return findings;
}

/** Counters that decide whether a rule still earns: by its cap, once, or within a period. */
const DECIDING = /^(earned|once|period):/;

/**
 * Sets the counters that decide about rewards to what the rows give, and returns how many were
 * wrong: earlier versions count differently, and may have written next to this one. Writes to the
 * project wait meanwhile. Other counters stay as they are.
 */
export function recountProject(
  database: Database,
  projectId: string,
  progress: CheckContext['progress'],
): Promise<number> {
  return database.transaction(async (tx) => {
    await lockProject(tx, projectId);
    await fillSignupPersons(tx, projectId);
    const wrong: Figure[] = [];
    await recount({ tx, projectId, progress }, (stored, recounted) => {
      wrong.push(...differenceOf(stored, recounted).filter(({ name }) => DECIDING.test(name)));
    });
    saveFigures(tx, projectId, wrong);
    return wrong.length;
  });
}
