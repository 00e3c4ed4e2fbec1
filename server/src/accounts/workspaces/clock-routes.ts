import type { Database } from '../../platform/db/database.ts';
import { findProjectClock } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { ProjectRef, WriteRequest } from '../../platform/http/access/principal.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { conflict } from '../../platform/kit/errors.ts';
import { type Instant, parseInstant } from '../../platform/kit/instant.ts';
import { recordAudit } from './audit-log.ts';
import { decideClock } from './decide-clock.ts';
import { ProjectClock, SetClock } from './schema.ts';

const TAG = 'Test clock';
const PATH = '/v1/projects/{projectId}/clock';
const example = success({
  projectId: 'prj_01ka3m…',
  now: '2026-12-15T09:30:00.000Z',
  offsetMs: 2_592_000_000,
});

export function clockRoutes(deps: ClockDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'Read the current time of a Project',
      description: 'This is real time, except for a sandbox Project whose clock was set.',
      permissions: ['programs:read'],
      answer: Success(ProjectClock),
      example: { answer: example },
      handle: async ({ project }) => {
        const time = await findProjectClock(deps.database.reads, deps.clock, project.id);
        return success({ projectId: project.id, ...time });
      },
    }),
    projectRoute({
      method: 'PUT',
      path: PATH,
      tag: TAG,
      summary: 'Move the clock of a sandbox Project forward',
      description:
        'The clock continues from the new time. It only moves forward; create a new Project to start over. Everything in the Project that depends on time uses this clock: Program dates, attribution windows, the effective dates of terms and policies, holds, the expiry of handles and reference keys, and event times. The response is sent after everything that became due is processed, such as purchases that waited for a signup. API keys, tokens, rate limits and `Idempotency-Key`s use real time.',
      permissions: ['programs:write'],
      body: SetClock,
      answer: Success(ProjectClock),
      refusals: [
        {
          code: 'INVALID_REQUEST',
          when: '`now` is before the Project’s time, or more than 3,650 days ahead of real time',
        },
        { code: 'CONFLICT', reason: 'invalid_transition', when: 'the Project is live' },
      ],
      example: { body: { now: '2026-12-15T09:30:00Z' }, answer: example },
      handle: async ({ request, project, body }) => {
        const now = parseInstant(body.now) as Instant;
        return success(await setClock(deps, request, project, now));
      },
    }),
  ];
}

export interface ClockDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** Does what is due in the request's Project by then, in separate slices. */
  readonly runDue: (request: WriteRequest, dueBy: Instant) => Promise<void>;
  /** Called before the clock moves and after what became due is done. Never fails. */
  readonly onMove: (request: WriteRequest) => Promise<void>;
}

/**
 * Sets the time of a sandbox Project, forward only, and does what has become due. If the latter
 * fails the clock is still set, and workers do the rest. Fails with CONFLICT `invalid_transition`
 * for a live Project, or INVALID_REQUEST.
 */
async function setClock(
  deps: ClockDeps,
  request: WriteRequest,
  project: ProjectRef,
  now: Instant,
): Promise<ProjectClock> {
  if (project.environment === 'live') {
    throw conflict(
      'invalid_transition',
      'The clock of a live project cannot be changed. Use a sandbox project.',
    );
  }
  await deps.onMove(request);
  const set = await deps.writer.run(request, async (write) => {
    const decided = decideClock(now, write);
    if ('refused' in decided) throw decided.refused;
    const { offsetMs } = decided;
    write.moveClock(now, offsetMs);
    recordAudit(write, request, {
      action: 'project.set_clock',
      targetType: 'project',
      targetId: project.id,
      changes: { now, offsetMs },
    });
    return { answer: { projectId: project.id, now, offsetMs } };
  });
  await deps.runDue(request, set.now);
  await deps.onMove(request);
  return set;
}
