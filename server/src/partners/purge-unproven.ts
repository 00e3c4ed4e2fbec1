import type { Queryable } from '../db/driver.ts';
import { addMs, DAY_MS, type Instant } from '../kit/instant.ts';
import { deleteStaleApplications, listProjectsWithStaleApplications } from './store.ts';

/** An application that was not proven in this time never will be; its place is given to others. */
export const UNPROVEN_DAYS = 30;

/** Deletes a slice of each Project's applications that were never proven; returns how many. */
export async function purgeUnproven(
  source: Queryable,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -UNPROVEN_DAYS * DAY_MS);
  let deleted = 0;
  for (const projectId of await listProjectsWithStaleApplications(source, before)) {
    deleted += await deleteStaleApplications(source, projectId, before, limit);
  }
  return deleted;
}
