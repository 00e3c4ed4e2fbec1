import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import { groupBy } from '../kit/group-by.ts';
import { type FigureRow, toRows } from './figure-row.ts';
import {
  addToFigures,
  listDailyFigures,
  listFigures,
  listFiguresOfPart,
  listRanges,
  listTop,
  sumDailyFigures,
} from './store.ts';
import { addToTally, type Figure, figureKey, type Sum, type Tally } from './tally.ts';

/** All figures of these subjects, by `figureKey`; for subjects with few. */
export async function loadFigures(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
): Promise<Tally> {
  if (subjects.length === 0) return new Map();
  const figures = await listFigures(db, projectId, subjects);
  return new Map(figures.map((one) => [figureKey(one), one]));
}

/** The figures of some days of subjects. */
export async function loadDays(
  db: Queryable,
  projectId: string,
  ranges: readonly { readonly subject: string; readonly from: string; readonly before: string }[],
): Promise<Figure[]> {
  return ranges.length === 0 ? [] : listRanges(db, projectId, ranges);
}

/** All figures of a subject; for subjects with few. */
export function findFiguresOf(
  db: Queryable,
  projectId: string,
  subject: string,
): Promise<Figure[]> {
  return listFigures(db, projectId, [subject]);
}

export const findFiguresOfPart = listFiguresOfPart;

/** These subjects' figures of each day from `from` on, before `before`. */
export async function findDailyFigures(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  range: { readonly from: string; readonly before: string },
): Promise<Figure[]> {
  return subjects.length === 0 ? [] : listDailyFigures(db, projectId, subjects, range);
}

/**
 * These subjects' figures added up over the days from `from` on, before `before`. The figure that referrers are ranked by
 * is not among them: days do not have it.
 */
export async function findSumsOfDays(
  db: Queryable,
  projectId: string,
  subjects: readonly string[],
  range: { readonly from: string; readonly before: string },
): Promise<Sum[]> {
  return subjects.length === 0 ? [] : sumDailyFigures(db, projectId, subjects, range);
}

/** A subject with the most referrals, and all its figures. */
export interface TopSubject {
  readonly subject: string;
  /** Of these parts, the one with its referrals. */
  readonly part: string;
  readonly referrals: number;
  readonly figures: readonly Figure[];
}

/** The subjects with the most referrals in these parts; at most `limit`, none without any. */
export async function findTop(
  db: Queryable,
  projectId: string,
  parts: readonly string[],
  limit: number,
): Promise<TopSubject[]> {
  const top = await listTop(db, projectId, parts, limit);
  if (top.length === 0) return [];
  const subjects = top.map(({ subject }) => subject);
  const figures = groupBy(await listFigures(db, projectId, subjects), ({ subject }) => subject);
  return top.map(({ subject, part, referred }) => ({
    subject,
    part,
    referrals: Number(referred),
    figures: figures.get(subject) ?? [],
  }));
}

/**
 * Adds each figure to its number, all in one statement, and always in the same order: clicks are counted
 * without the Project's lock, and must not wait for each other in a circle with facts.
 */
export function saveFigures(tx: Tx, projectId: string, figures: Iterable<Figure>): void {
  const tally: Tally = new Map();
  for (const one of figures) addToTally(tally, one);
  const rows = toRows([...tally.values()].filter(({ value }) => value !== 0n)).sort(byKey);
  if (rows.length > 0) addToFigures(tx, projectId, rows);
}

function byKey(a: FigureRow, b: FigureRow): number {
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1;
  return a.part < b.part ? -1 : 1;
}
