import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/kit/errors.ts';
import type { CheckContext } from './checks/check-context.ts';
import type { Difference } from './finding.ts';
import type { Findings } from './findings.ts';
import { recountProject } from './recount-project.ts';
import { countProjects, findProjectParts, listProjectIds } from './stores/store.ts';
import { verifyProject } from './verify-project.ts';

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
