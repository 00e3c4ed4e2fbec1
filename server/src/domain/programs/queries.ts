import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { toListedProgram } from './present.ts';
import { isActiveAt, type Unit } from './program-book.ts';
import type { ProgramDeps } from './program-deps.ts';
import type { ListedProgram } from './schema.ts';
import {
  findProgramCounts,
  findProgramRow,
  listPrograms,
  listUnitsById,
  listWindows,
  updateEnrollmentCounts,
  updateReferralCounts,
} from './store.ts';

export interface ProgramCounts {
  /** Currently active. */
  readonly enrollments: number;
  /** Total over all time. */
  readonly referrals: number;
}

/** Undefined for an unknown Program. */
export async function findCounts(
  db: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramCounts | undefined> {
  const row = await findProgramCounts(db, projectId, programId);
  return row && { enrollments: Number(row.enrollmentCount), referrals: Number(row.referralCount) };
}

/** Names of a Project's Programs by id, oldest first. */
export async function findProgramNames(
  db: Queryable,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await listPrograms(db, projectId);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Oldest first, each with its status by the Project's clock. */
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

/**
 * Updates the count of active enrollments of these Programs, each given once; call it in the
 * transaction that begins or ends them.
 */
export function addToEnrollmentCounts(
  tx: Tx,
  projectId: string,
  programIds: readonly string[],
  delta: number,
): void {
  if (programIds.length > 0) updateEnrollmentCounts(tx, projectId, programIds, delta);
}

/** Updates each Program's count of referrals; call it in the transaction that binds them. */
export function addToReferralCounts(
  tx: Tx,
  projectId: string,
  referrals: readonly { readonly programId: string }[],
): void {
  const counts = new Map<string, number>();
  for (const { programId } of referrals) counts.set(programId, (counts.get(programId) ?? 0) + 1);
  if (counts.size > 0) updateReferralCounts(tx, projectId, counts);
}

/** The units of these ids, by id. */
export async function findUnits(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Unit>> {
  if (ids.length === 0) return new Map();
  const units = await listUnitsById(db, projectId, ids);
  return new Map(units.map((unit) => [unit.id, unit]));
}

/** The longest attribution window, in days, of the Programs that are active at `now`; 0 if there are none. */
export async function findLongestWindow(
  db: Queryable,
  projectId: string,
  now: Instant,
): Promise<number> {
  return Math.max(0, ...(await listWindows(db, projectId, now)));
}

export interface Landing {
  /** Target of the Program's links; empty in a draft that has no page yet. */
  readonly landingPageUrl: string;
  /** Whether following one of them counts. */
  readonly isActive: boolean;
}

/** Target of a Program's links at `now`. */
export async function findLanding(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<Landing | undefined> {
  const row = await findProgramRow(db, projectId, programId);
  if (!row) return undefined;
  const { status, createdAt, startDate, endDate } = row;
  const intervals = [{ status, startsAt: createdAt, endsAt: null }];
  return {
    landingPageUrl: row.config.brandConfig.landingPageUrl,
    isActive: isActiveAt({ intervals, startDate, endDate }, now),
  };
}
