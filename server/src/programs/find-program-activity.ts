import type { Queryable } from '../db/driver.ts';
import type { ProgramActivity } from './program-activity.ts';
import { findProgramRow, listIntervals } from './store.ts';

/** How a Program stood over time, for facts that arrive after they happened. */
export async function findProgramActivity(
  source: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramActivity | undefined> {
  const [program, intervals] = await Promise.all([
    findProgramRow(source, projectId, programId),
    listIntervals(source, projectId, programId),
  ]);
  return program && { intervals, startDate: program.startDate, endDate: program.endDate };
}
