import type { Queryable } from '../../db/driver.ts';
import type { ProjectRef } from '../../http/access/principal.ts';
import type { Clock } from '../../kit/clock.ts';
import { addMs, type Instant, laterOf, toInstant } from '../../kit/instant.ts';
import { findHead, type Head, listClockOffsets } from '../store.ts';

/** A Project's time when the process's clock shows `nowMs`: never before that of its last fact. */
export function timeOf(head: Pick<Head, 'clockOffsetMs' | 'lastAt'>, nowMs: number): Instant {
  return laterOf(toInstant(nowMs + head.clockOffsetMs), head.lastAt);
}

/** A Project's current time, and its offset from real time. */
export async function findProjectClock(
  db: Queryable,
  clock: Clock,
  projectId: string,
): Promise<{ now: Instant; offsetMs: number }> {
  const head = await findHead(db, projectId);
  if (!head) throw new Error(`Project ${projectId} has no head.`);
  return { now: timeOf(head, clock.nowMs()), offsetMs: head.clockOffsetMs };
}

/** How far a Project's time is ahead of real time. It never decreases. */
export async function findClockOffset(db: Queryable, projectId: string): Promise<number> {
  return (await findHead(db, projectId))?.clockOffsetMs ?? 0;
}

/**
 * A Project's current time, for decisions and presentation outside a write. Only a sandbox can
 * differ from real time: a live Project costs no query.
 */
export async function projectNow(
  db: Queryable,
  clock: Clock,
  project: Pick<ProjectRef, 'id' | 'environment'>,
): Promise<Instant> {
  if (project.environment === 'live') return toInstant(clock.nowMs());
  return (await findProjectClock(db, clock, project.id)).now;
}

/**
 * The Projects to search for data older than `before`, with the cutoff by the time of each: those
 * that `list` finds, and those whose clock was moved, where data ages sooner.
 */
export async function listCutoffs(
  db: Queryable,
  before: Instant,
  list: (db: Queryable, before: Instant) => Promise<string[]>,
): Promise<ReadonlyMap<string, Instant>> {
  const [found, moved] = await Promise.all([list(db, before), listClockOffsets(db)]);
  return new Map([
    ...found.map((projectId) => [projectId, before] as const),
    ...moved.map(({ projectId, offsetMs }) => [projectId, addMs(before, offsetMs)] as const),
  ]);
}
