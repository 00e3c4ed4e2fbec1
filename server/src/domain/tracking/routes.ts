import Type from 'typebox';
import type { Database } from '../../platform/db/database.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { listSources } from './queries.ts';
import { ChangeSource, RegisterSource, Source } from './schema.ts';
import { changeSource, registerSource, SOURCES_MAX } from './sources.ts';

const TAG = 'Tracking';
const sourceExample = {
  id: 'src_01ka3m…',
  projectId: 'prj_01ka3m…',
  name: 'Our Shop',
  key: 'our-shop',
  kind: 'application',
  enabled: true,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};

export interface TrackingDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
}

export function trackingRoutes(deps: TrackingDeps): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/sources',
      tag: TAG,
      summary: 'Register your application as a source of facts',
      description:
        'Registering an existing key returns its source unchanged, so an application can register at every start.',
      permissions: ['sources:write'],
      body: RegisterSource,
      answer: Type.Object({
        success: Type.Literal(true),
        sourceNamespaceId: Type.String({ description: 'Send it with every fact.' }),
        data: Source,
      }),
      refusals: [
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: `the Project already has ${SOURCES_MAX} sources`,
        },
      ],
      example: {
        body: { name: 'Our Shop' },
        answer: { success: true, sourceNamespaceId: 'src_01ka3m…', data: sourceExample },
      },
      handle: async ({ request, body }) => {
        const source = await registerSource(deps.writer, request, body);
        return { success: true as const, sourceNamespaceId: source.id, data: source };
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/sources',
      tag: TAG,
      summary: 'List the sources, oldest first',
      permissions: ['sources:write'],
      answer: Success(Type.Array(Source)),
      example: { answer: success([sourceExample]) },
      handle: async ({ project }) => success(await listSources(deps.database.reads, project.id)),
    }),
    projectRoute({
      method: 'PATCH',
      path: '/v1/sources/{id}',
      tag: TAG,
      summary: 'Rename, disable or enable a source',
      description: 'A disabled source cannot report facts.',
      permissions: ['sources:write'],
      body: ChangeSource,
      answer: Success(Source),
      refusals: [{ code: 'NOT_FOUND', when: 'the source does not exist' }],
      example: { body: { enabled: false }, answer: success({ ...sourceExample, enabled: false }) },
      handle: async ({ request, params, body }) =>
        success(await changeSource(deps.writer, request, params.id as string, body)),
    }),
  ];
}
