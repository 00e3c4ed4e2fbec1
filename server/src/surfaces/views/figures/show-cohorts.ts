import { findProgramNames } from '../../../domain/programs/queries.ts';
import { weekName } from '../../../domain/tracking/batch/fact-figures.ts';
import { findDailyFigures } from '../../../platform/figures/figures.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { ViewDeps } from '../show-participant.ts';
import { dayAfter, daysBefore, mondaysUntil } from './day-range.ts';
import type { Cohort } from './figure-schema.ts';
import { type DayNumbers, foldDaily, sumOf } from './fold-daily.ts';

export const COHORTS_MAX = 26;
const WEEK = 7;

export interface CohortQuery {
  readonly to: string;
  readonly weeks: number;
  readonly programId: string | null;
}

/**
 * Of those who were referred in each week, how many had bought by which week; from counters alone. Fails
 * with INVALID_REQUEST for an invalid day, NOT_FOUND for an unknown program.
 */
export function showCohorts(
  deps: Pick<ViewDeps, 'database'>,
  projectId: string,
  { to, weeks, programId }: CohortQuery,
): Promise<Cohort[]> {
  const mondays = mondaysUntil(to, weeks);
  return deps.database.snapshot(async (tx) => {
    const all = await findProgramNames(tx, projectId);
    if (programId !== null && !all.has(programId)) throw notFound('program');
    const programs = [...all.keys()].filter((id) => programId === null || id === programId);
    const first = mondays[0] ?? to;
    const range = { from: first, before: dayAfter(endOf(mondays.at(-1) ?? to)) };
    const numbers = foldDaily(await findDailyFigures(tx, projectId, programs, range));
    return toCohorts(mondays, (day) => sumOf(programs.map((id) => numbers.get(id)?.get(day))));
  });
}

/** The last of its days. */
function endOf(monday: string): string {
  return daysOf(monday).at(-1) ?? monday;
}

function daysOf(monday: string): string[] {
  const after = Array.from({ length: WEEK }).reduce<string>((day) => dayAfter(day), monday);
  return daysBefore(after, WEEK);
}

/** Cohorts of these weeks, given in order. The last week is the last in which somebody can have bought. */
export function toCohorts(
  mondays: readonly string[],
  numbersOf: (day: string) => DayNumbers,
): Cohort[] {
  return mondays.map((week, index) => {
    const numbers = sumOf(daysOf(week).map(numbersOf));
    let bought = 0;
    return {
      week,
      referrals: numbers.count('referrals'),
      bought: mondays.slice(index).map((_, later) => {
        bought += numbers.count(weekName(later));
        return bought;
      }),
    };
  });
}
