import type { Instant } from '../../../platform/kit/instant.ts';
import { isActiveAt } from '../book/program-activity.ts';
import { type ProgramBook, versionAt } from '../book/program-book.ts';

/** The longest attribution window, in days, of the Programs that are active at `now`; 0 if there are none. */
export function longestWindow({ programs }: ProgramBook, now: Instant): number {
  const windows = [...programs.values()].map((program) =>
    isActiveAt(program, now) ? (versionAt(program.policies, now)?.windowDays ?? 0) : 0,
  );
  return Math.max(0, ...windows);
}
