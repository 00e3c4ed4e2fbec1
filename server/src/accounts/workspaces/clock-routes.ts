import { findProjectClock } from '../../platform/feed/writer/project-clock.ts';
import { projectRoute, type Route, Success, success } from '../../platform/http/routes/route.ts';
import { type Instant, parseInstant } from '../../platform/kit/instant.ts';
import { ProjectClock, SetClock } from './schema.ts';
import { type ClockDeps, setClock } from './set-clock.ts';

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
