import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { toListedProgram } from './present.ts';
import type { ProgramDeps } from './program-deps.ts';
import type { ListedProgram } from './schema.ts';
import { listPrograms } from './store.ts';

/** Oldest first, each as it is by the Project's clock. */
export async function showPrograms(
  { database: { reads }, clock }: Pick<ProgramDeps, 'database' | 'clock'>,
  project: ProjectRef,
): Promise<ListedProgram[]> {
  const [now, rows] = await Promise.all([
    projectNow(reads, clock, project),
    listPrograms(reads, project.id),
  ]);
  return rows.map((row) => toListedProgram(row, now));
}
