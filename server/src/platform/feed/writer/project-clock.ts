import type { Queryable } from '../../db/driver.ts';
import type { ProjectRef } from '../../http/access/principal.ts';
import type { Clock } from '../../kit/clock.ts';
import { addMs, type Instant, laterOf, toInstant } from '../../kit/instant.ts';
import { findHead, type Head, listClockOffsets, updateClock } from '../store.ts';
import type { ProjectWrite } from './project-write.ts';

/** A Project's time when the process's clock says `nowMs`: never before that of its last fact. */
export function timeOf(head: Pick<Head, 'clockOffsetMs' | 'lastAt'>, nowMs: number): Instant {
  return laterOf(toInstant(nowMs + head.clockOffsetMs), head.lastAt);
}

/** What time it is for a Project, and how far that is ahead of the real time. */
export async function findProjectClock(
  source: Queryable,
  clock: Clock,
  projectId: string,
): Promise<{ now: Instant; offsetMs: number }> {
  const head = await findHead(source, projectId);
  if (!head) throw new Error(`Project ${projectId} has no head.`);
  return { now: timeOf(head, clock.nowMs()), offsetMs: head.clockOffsetMs };
}

/** How far a Project's time is ahead of the real one. It never gets less. */
export async function findClockOffset(source: Queryable, projectId: string): Promise<number> {
  return (await findHead(source, projectId))?.clockOffsetMs ?? 0;
}

/**
 * What time it is for a Project, for whatever decides or shows something outside a write. Only
 * a sandbox can have another time than the real one: a live Project costs no query.
 */
export async function projectNow(
  source: Queryable,
  clock: Clock,
  project: Pick<ProjectRef, 'id' | 'environment'>,
): Promise<Instant> {
  if (project.environment === 'live') return toInstant(clock.nowMs());
  return (await findProjectClock(source, clock, project.id)).now;
}

/** From this write on it is `now` for the Project, and its time runs on from there. */
export function moveClock(write: ProjectWrite, now: Instant, offsetMs: number): void {
  updateClock(write.tx, write.projectId, now, offsetMs);
}

/**
 * Which Projects to look through for what is older than `before`, and what that is by the time
 * of each: those that `list` finds, and those whose clock was moved, where things age sooner.
 */
export async function listCutoffs(
  source: Queryable,
  before: Instant,
  list: (source: Queryable, before: Instant) => Promise<string[]>,
): Promise<ReadonlyMap<string, Instant>> {
  const [found, moved] = await Promise.all([list(source, before), listClockOffsets(source)]);
  return new Map([
    ...found.map((projectId) => [projectId, before] as const),
    ...moved.map(({ projectId, offsetMs }) => [projectId, addMs(before, offsetMs)] as const),
  ]);
}
