import { listClicksByDay } from '../../../domain/clicks/queries.ts';
import { listCodes, listLinks } from '../../../domain/participants/names/queries.ts';
import { daysOf } from '../../../domain/participants/partner-days.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findDailyFigures } from '../../../platform/figures/figures.ts';
import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { dayAfter } from './day-range.ts';
import { type DayNumbers, foldDaily } from './fold-daily.ts';

interface PartnerDaysAsked {
  readonly participantId: string;
  readonly programIds: readonly string[];
  readonly from: string;
  /** The last day. */
  readonly to: string;
}

/** By Program, and then by day. */
export type PartnerDays = ReadonlyMap<string, ReadonlyMap<string, DayNumbers>>;

/**
 * What is counted of a partner on each day: clicks of its codes and links, and its own figures. The cost
 * depends on the number of days and links, not on that of referrals.
 */
export async function loadPartnerDays(
  db: Queryable,
  projectId: string,
  { participantId, programIds, ...range }: PartnerDaysAsked,
): Promise<PartnerDays> {
  const subjects = programIds.map((id) => daysOf(participantId, id));
  const [figures, clicks] = await Promise.all([
    findDailyFigures(db, projectId, subjects, { from: range.from, before: dayAfter(range.to) }),
    loadClicks(db, projectId, participantId, range),
  ]);
  const numbers = foldDaily([...figures, ...clicks]);
  return new Map(programIds.map((id, at) => [id, numbers.get(subjects[at] ?? '') ?? new Map()]));
}

/** Codes that were moved to another Program keep the clicks of before. */
async function loadClicks(
  db: Queryable,
  projectId: string,
  participantId: string,
  range: Pick<PartnerDaysAsked, 'from' | 'to'>,
): Promise<Figure[]> {
  const codes = (await listCodes(db, projectId, participantId, null)).map(({ id }) => id);
  if (codes.length === 0) return [];
  const links = (await listLinks(db, projectId, codes)).map(({ id }) => id);
  const rows = await listClicksByDay(db, projectId, [...codes, ...links], range);
  return rows.map(({ programId, day, clicks }) =>
    figure(daysOf(participantId, programId), day, 'clicks', clicks),
  );
}
