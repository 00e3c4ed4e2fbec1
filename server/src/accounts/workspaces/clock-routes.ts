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
      summary: 'Read what time it is for a Project',
      description: 'A Project has the real time unless it is a sandbox whose clock was set.',
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
      summary: 'Set the clock of a sandbox Project forward',
      description:
        'Time runs on from there. It never goes back: to begin anew, make a new Project. Whatever is decided by time in the Project goes by its clock: dates of Programs, attribution windows, terms and policies that take effect, holds, the end of handles and reference keys, and the times of events. What came due is done before this answers, such as purchases that waited for a signup. API keys, tokens, limits and `Idempotency-Key`s go by the real time.',
      permissions: ['programs:write'],
      body: SetClock,
      answer: Success(ProjectClock),
      refusals: [
        {
          code: 'INVALID_REQUEST',
          when: '`now` is before the Project’s time, or more than 3,650 days ahead of the real one',
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
