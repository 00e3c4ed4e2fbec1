import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { dayAfter, daysBefore } from '../../views/figures/day-range.ts';
import { type DayNumbers, sumOf } from '../../views/figures/fold-daily.ts';
import { loadPartnerDays } from '../../views/figures/load-partner-days.ts';
import type { JoinedProgram, PartnerProject } from '../load-partner.ts';
import type { PartnerPageDeps } from '../partner-page-deps.ts';
import type { Choice } from './choice.ts';
import { type Bar, toBars } from './fold-results.ts';

/** The results of a partner in all its programs, over the chosen period until today. */
export interface Results {
  readonly choice: Choice;
  readonly bars: readonly Bar[];
  readonly total: DayNumbers;
}

export async function loadResults(
  { database: { reads }, clock }: Pick<PartnerPageDeps, 'database' | 'clock'>,
  projects: readonly PartnerProject[],
  programs: readonly JoinedProgram[],
  choice: Choice,
): Promise<Results> {
  const times = await Promise.all(projects.map(({ project }) => projectNow(reads, clock, project)));
  const last = (times.sort().at(-1) ?? new Date(clock.nowMs()).toISOString()).slice(0, 10);
  const days = daysBefore(dayAfter(last), choice.days);
  const found = await Promise.all(
    projects.map(({ project, participantId }) =>
      loadPartnerDays(reads, project.id, {
        participantId,
        programIds: programs.flatMap((one) => (one.project.id === project.id ? [one.id] : [])),
        from: days[0] ?? last,
        to: last,
      }),
    ),
  );
  const ofPrograms = found.flatMap((one) => [...one.values()]);
  const bars = toBars(days, (day) => sumOf(ofPrograms.map((numbers) => numbers.get(day))));
  return { choice, bars, total: sumOf(bars.map(({ numbers }) => numbers)) };
}
