import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import { groupBy } from '../kit/group-by.ts';
import {
  addToCounters,
  findCounter,
  listCounters,
  listCountersOf,
  listCountersOfAll,
  listDailyCounters,
  listTopReferrers,
} from './store.ts';
import { addToTally, type Figure, figureKey, type Tally } from './tally.ts';

/** These subjects' figures with these names, by `figureKey`; for subjects with few figures. */
export async function loadFigures(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  names: readonly string[],
): Promise<Tally> {
  if (subjects.length === 0 || names.length === 0) return new Map();
  const figures = await listCounters(db, projectId, subjects, names);
  return new Map(figures.map((one) => [figureKey(one.subject, one.name), one]));
}

/** Zero if nothing was added to it. */
export const findFigure = findCounter;

/** All figures of a subject; for subjects with few. */
export const findFiguresOf = listCountersOf;

/** These subjects' figures of each day from `from` on, before `before`. */
export async function findDailyFigures(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  range: { readonly from: string; readonly before: string },
): Promise<Figure[]> {
  return subjects.length === 0 ? [] : listDailyCounters(db, projectId, subjects, range);
}

/** Top referrers by a figure of referrals; at most `limit`, nobody without any. */
export async function findTopReferrers(
  db: Queryable,
  projectId: string,
  name: string,
  limit: number,
): Promise<{ participantId: string; referrals: number; figures: readonly Figure[] }[]> {
  const top = (await listTopReferrers(db, projectId, name, limit)).filter(
    ({ value }) => value > 0n,
  );
  if (top.length === 0) return [];
  const subjects = top.map(({ subject }) => subject);
  const figures = groupBy(
    await listCountersOfAll(db, projectId, subjects),
    ({ subject }) => subject,
  );
  return top.map(({ subject, value }) => ({
    participantId: subject,
    referrals: Number(value),
    figures: figures.get(subject) ?? [],
  }));
}

/** Adds each figure to its number, all in one statement. */
export function saveFigures(tx: Tx, projectId: string, figures: Iterable<Figure>): void {
  const tally: Tally = new Map();
  for (const one of figures) addToTally(tally, one);
  const changed = [...tally.values()].filter(({ value, firstAt }) => value !== 0n || firstAt);
  if (changed.length > 0) addToCounters(tx, projectId, changed);
}
