import { listClicksByDay, sumClicks } from '../../../domain/clicks/queries.ts';
import { listCodeIds, listLinks } from '../../../domain/participants/names/queries.ts';
import { daysOf, ownerOfDays } from '../../../domain/participants/partner-days.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findDailyFigures, findSumsOfDays } from '../../../platform/figures/figures.ts';
import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { dayAfter } from './day-range.ts';
import { DayNumbers, foldDaily } from './fold-daily.ts';

interface DaysAsked {
  readonly programIds: readonly string[];
  readonly from: string;
  /** The last day. */
  readonly to: string;
}

/** By Program, and then by day. */
type PartnerDays = ReadonlyMap<string, ReadonlyMap<string, DayNumbers>>;

/**
 * What is counted of a partner on each day: clicks of its codes and links, and its own figures. The cost depends on the
 * number of days and links, not on that of referrals.
 */
export async function loadPartnerDays(
  db: Queryable,
  projectId: string,
  { participantId, programIds, from, to }: DaysAsked & { readonly participantId: string },
): Promise<PartnerDays> {
  const subjects = programIds.map((id) => daysOf(participantId, id));
  const loadClicks = async (): Promise<Figure[]> => {
    const sharedIds = [...(await loadOwners(db, projectId, [participantId])).keys()];
    if (sharedIds.length === 0) return [];
    const rows = await listClicksByDay(db, projectId, sharedIds, { from, to });
    return rows.map(({ programId, day, clicks }) =>
      figure(daysOf(participantId, programId), day, 'clicks', clicks),
    );
  };
  const [figures, clicks] = await Promise.all([
    findDailyFigures(db, projectId, subjects, { from, before: dayAfter(to) }),
    loadClicks(),
  ]);
  const numbers = foldDaily([...figures, ...clicks]);
  return new Map(programIds.map((id) => [id, numbers.get(daysOf(participantId, id)) ?? new Map()]));
}

/**
 * The same of several partners, added up over the days and Programs, by participant. The database adds up: what is
 * returned grows with the number of partners and links, not with that of days.
 */
export async function loadPartnerTotals(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
  { programIds, from, to }: DaysAsked,
): Promise<ReadonlyMap<string, DayNumbers>> {
  const subjects = participantIds.flatMap((one) => programIds.map((id) => daysOf(one, id)));
  const owners = await loadOwners(db, projectId, participantIds);
  const [figures, clicks] = await Promise.all([
    findSumsOfDays(db, projectId, subjects, { from, before: dayAfter(to) }),
    owners.size === 0 ? [] : sumClicks(db, projectId, [...owners.keys()], { from, to }),
  ]);
  const totals = new Map(participantIds.map((one) => [one, new DayNumbers()]));
  for (const { subject, name, value } of figures) {
    totals.get(ownerOfDays(subject))?.add(name, value);
  }
  const chosen = new Set(programIds);
  for (const { sharedId, programId, clicks: count } of clicks) {
    if (chosen.has(programId)) totals.get(owners.get(sharedId) ?? '')?.add('clicks', count);
  }
  return totals;
}

/** Whose each code and link is. Codes that were moved to another Program keep the clicks of before. */
async function loadOwners(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const codes = await listCodeIds(db, projectId, participantIds);
  const ownerOf = new Map(codes.map(({ id, participantId }) => [id, participantId]));
  if (codes.length === 0) return ownerOf;
  for (const { id, refCodeId } of await listLinks(db, projectId, [...ownerOf.keys()])) {
    const owner = ownerOf.get(refCodeId);
    if (owner !== undefined) ownerOf.set(id, owner);
  }
  return ownerOf;
}
