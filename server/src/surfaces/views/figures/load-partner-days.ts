import { listClicksByDay } from '../../../domain/clicks/queries.ts';
import { listCodeIds, listLinks } from '../../../domain/participants/names/queries.ts';
import { daysOf } from '../../../domain/participants/partner-days.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findDailyFigures } from '../../../platform/figures/figures.ts';
import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { dayAfter } from './day-range.ts';
import { type DailyNumbers, type DayNumbers, foldDaily } from './fold-daily.ts';

interface DaysAsked {
  readonly programIds: readonly string[];
  readonly from: string;
  /** The last day. */
  readonly to: string;
}

/** By Program, and then by day. */
export type PartnerDays = ReadonlyMap<string, ReadonlyMap<string, DayNumbers>>;

/** What is counted of a partner on each day. */
export async function loadPartnerDays(
  db: Queryable,
  projectId: string,
  { participantId, ...asked }: DaysAsked & { readonly participantId: string },
): Promise<PartnerDays> {
  const days = await loadDaysOfPartners(db, projectId, [participantId], asked);
  return days.get(participantId) ?? new Map();
}

/**
 * What is counted of several partners on each day, by participant: clicks of their codes and links, and their own
 * figures. The cost depends on the number of days and links, not on that of referrals.
 */
export async function loadDaysOfPartners(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
  { programIds, ...range }: DaysAsked,
): Promise<ReadonlyMap<string, PartnerDays>> {
  const subjects = participantIds.flatMap((one) => programIds.map((id) => daysOf(one, id)));
  const [figures, clicks] = await Promise.all([
    findDailyFigures(db, projectId, subjects, { from: range.from, before: dayAfter(range.to) }),
    loadClicks(db, projectId, participantIds, range),
  ]);
  const numbers = foldDaily([...figures, ...clicks]);
  return new Map(participantIds.map((one) => [one, ofPrograms(numbers, one, programIds)]));
}

function ofPrograms(
  numbers: DailyNumbers,
  participantId: string,
  programIds: readonly string[],
): PartnerDays {
  return new Map(programIds.map((id) => [id, numbers.get(daysOf(participantId, id)) ?? new Map()]));
}

/** Codes that were moved to another Program keep the clicks of before. */
async function loadClicks(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
  range: Pick<DaysAsked, 'from' | 'to'>,
): Promise<Figure[]> {
  const codes = await listCodeIds(db, projectId, participantIds);
  if (codes.length === 0) return [];
  const ownerOf = new Map(codes.map(({ id, participantId }) => [id, participantId]));
  for (const { id, refCodeId } of await listLinks(db, projectId, [...ownerOf.keys()])) {
    const owner = ownerOf.get(refCodeId);
    if (owner !== undefined) ownerOf.set(id, owner);
  }
  const rows = await listClicksByDay(db, projectId, [...ownerOf.keys()], range);
  return rows.flatMap(({ sharedId, programId, day, clicks }) => {
    const owner = ownerOf.get(sharedId);
    return owner === undefined ? [] : [figure(daysOf(owner, programId), day, 'clicks', clicks)];
  });
}
