import type { Database } from '../../platform/db/database.ts';
import { moveClock } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { ProjectRef, WriteRequest } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { conflict } from '../../platform/kit/errors.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { recordAudit } from './audit/record-audit.ts';
import { decideClock } from './decide-clock.ts';
import type { ProjectClock } from './schema.ts';

export interface ClockDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** Does what is due in the request's Project by then, in separate slices. */
  readonly runDue: (request: WriteRequest, dueBy: Instant) => Promise<void>;
}

/**
 * Sets the time of a sandbox Project, forward only, and does what has become due. If the latter
 * fails the clock is still set, and workers do the rest. Fails with CONFLICT `invalid_transition`
 * for a live Project, or INVALID_REQUEST.
 */
export async function setClock(
  deps: ClockDeps,
  request: WriteRequest,
  project: ProjectRef,
  now: Instant,
): Promise<ProjectClock> {
  if (project.environment === 'live') {
    throw conflict('invalid_transition', 'A live project has the real time. Use a sandbox one.');
  }
  const set = await deps.writer.run(request, async (write) => {
    const decided = decideClock(now, write);
    if ('refused' in decided) throw decided.refused;
    const { offsetMs } = decided;
    moveClock(write, now, offsetMs);
    recordAudit(write, request, {
      action: 'project.set_clock',
      targetType: 'project',
      targetId: project.id,
      changes: { now, offsetMs },
    });
    return { answer: { projectId: project.id, now, offsetMs } };
  });
  await deps.runDue(request, set.now);
  return set;
}
