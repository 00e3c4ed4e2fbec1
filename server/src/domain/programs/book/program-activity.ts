import type { Instant } from '../../../platform/kit/instant.ts';
import { effectiveStatus, type ProgramStatus } from '../program-status.ts';

/** A status, valid from `startsAt` (inclusive) to `endsAt` (exclusive). */
export interface StatusInterval {
  readonly status: ProgramStatus;
  readonly startsAt: Instant;
  readonly endsAt: Instant | null;
}

/** The history of a Program's status, so that a late fact is judged by its own time. */
export interface ProgramActivity {
  readonly intervals: readonly StatusInterval[];
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
}

/** Undefined before the Program existed. */
export function statusAt(activity: ProgramActivity, at: Instant): ProgramStatus | undefined {
  const interval = activity.intervals.find(
    ({ startsAt, endsAt }) => startsAt <= at && (endsAt === null || at < endsAt),
  );
  return interval && effectiveStatus({ ...interval, endDate: activity.endDate }, at);
}

export function isActiveAt(activity: ProgramActivity, at: Instant): boolean {
  const hasStarted = activity.startDate === null || activity.startDate <= at;
  return hasStarted && statusAt(activity, at) === 'active';
}
