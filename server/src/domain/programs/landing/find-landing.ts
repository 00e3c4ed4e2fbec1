import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { isActiveAt } from '../book/program-activity.ts';
import { findProgramRow } from '../store.ts';

export interface Landing {
  /** Where the Program's links lead; empty in a draft that has no page yet. */
  readonly landingPageUrl: string;
  /** Whether following one of them counts. */
  readonly isActive: boolean;
}

/** Where the links of a Program lead at `now`. */
export async function findLanding(
  source: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<Landing | undefined> {
  const row = await findProgramRow(source, projectId, programId);
  if (!row) return undefined;
  const { status, createdAt, startDate, endDate } = row;
  const intervals = [{ status, startsAt: createdAt, endsAt: null }];
  return {
    landingPageUrl: row.config.brandConfig.landingPageUrl,
    isActive: isActiveAt({ intervals, startDate, endDate }, now),
  };
}
