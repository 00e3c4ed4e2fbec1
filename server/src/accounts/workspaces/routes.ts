import Type from 'typebox';
import { Success, success } from '../../platform/http/routes/answers.ts';
import {
  CursorList,
  cursorQuery,
  pageOf,
  toCursorPage,
} from '../../platform/http/routes/paging.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { operatorRoute } from '../../platform/http/routes/user-routes.ts';
import { IdText } from '../../platform/kit/schema.ts';
import { createApiKey, listKeys, revokeApiKey, rotateApiKey } from './api-keys/api-keys.ts';
import { listAudit } from './audit-log.ts';
import { changeProject, createProject } from './projects.ts';
import {
  assertWorkspace,
  findKeyWorkspace,
  listProjects,
  listWidgetSecrets,
  listWorkspaces,
} from './queries.ts';
import {
  ApiKey,
  AuditEntry,
  ChangeProject,
  CreateApiKey,
  CreateProject,
  CreateWorkspace,
  ListApiKeys,
  ListAudit,
  Project,
  RotateApiKey,
  WidgetSecret,
  Workspace,
} from './schema.ts';
import { createWidgetSecret, revokeWidgetSecret } from './widget-secrets.ts';
import { createWorkspace, type WorkspaceDeps } from './workspaces.ts';

const TAG = 'Administration';
const at = '2026-11-15T09:30:00.000Z';
const workspaceExample = { id: 'ws_01ka3m…', name: 'Acme', createdAt: at, updatedAt: at };
const projectExample = {
  id: 'prj_01ka3m…',
  workspaceId: 'ws_01ka3m…',
  projectKey: 'k7m2p9xw4c',
  name: 'Shop',
  environment: 'sandbox',
  allowedOrigins: ['https://example.com'],
  createdAt: at,
  updatedAt: at,
};
const keyExample = {
  id: 'key_01ka3m…',
  workspaceId: 'ws_01ka3m…',
  environment: 'sandbox',
  name: 'Backend',
  permissions: ['track:write'],
  prefix: 'gw_sandbox_Ab3d',
  last4: 'x9Zq',
  createdAt: at,
  updatedAt: at,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: at,
};
const secretExample = {
  id: 'wsk_01ka3m…',
  projectId: 'prj_01ka3m…',
  last4: 'k3Qd',
  createdAt: at,
  expiresAt: null,
  revokedAt: null,
};

export function workspaceRoutes(deps: WorkspaceDeps): Route[] {
  const { reads } = deps.database;
  const itsKey = {
    what: 'API key',
    find: ({ keyId }: Readonly<Record<string, string>>) => findKeyWorkspace(reads, keyId as string),
  };
  return [
    operatorRoute({
      method: 'POST',
      path: '/v1/workspaces',
      about: 'new',
      tag: TAG,
      summary: 'Create a Workspace',
      description:
        'Users can call this if they own another Workspace. They become the owner of the new one.',
      body: CreateWorkspace,
      answer: Success(Workspace),
      example: { body: { name: 'Acme' }, answer: success(workspaceExample) },
      handle: async ({ request, body }) => success(await createWorkspace(deps, request, body)),
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/workspaces',
      about: 'own',
      tag: TAG,
      summary: 'List Workspaces, newest first',
      description: 'Users get only the Workspaces they belong to.',
      query: Type.Object(cursorQuery),
      answer: CursorList(Workspace),
      example: { answer: { success: true, data: [workspaceExample], nextCursor: null } },
      handle: async ({ query, workspaceIds }) => {
        const page = toCursorPage(query, 'ws');
        return pageOf(await listWorkspaces(reads, workspaceIds, page), page, (row) => row);
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/projects',
      about: 'body',
      tag: TAG,
      summary: 'Create a Project in one environment of a Workspace',
      body: CreateProject,
      answer: Success(Project),
      refusals: [{ code: 'NOT_FOUND', when: 'the Workspace does not exist' }],
      example: {
        body: { workspaceId: 'ws_01ka3m…', name: 'Shop', environment: 'sandbox' },
        answer: success(projectExample),
      },
      handle: async ({ request, body }) => success(await createProject(deps, request, body)),
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/projects',
      about: 'own',
      tag: TAG,
      summary: 'List the Projects of one Workspace or of all Workspaces, newest first',
      description: 'Users get only the Projects of Workspaces they belong to.',
      query: Type.Object({ workspaceId: Type.Optional(IdText()), ...cursorQuery }),
      answer: CursorList(Project),
      refusals: [{ code: 'NOT_FOUND', when: 'the Workspace does not exist' }],
      example: { answer: { success: true, data: [projectExample], nextCursor: null } },
      handle: async ({ query: { workspaceId, ...query }, workspaceIds }) => {
        const page = toCursorPage(query, 'prj');
        if (workspaceId !== undefined) await assertWorkspace(reads, workspaceId, workspaceIds);
        const among = workspaceId === undefined ? workspaceIds : [workspaceId];
        return pageOf(await listProjects(reads, among, page), page, (row) => row);
      },
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/v1/projects/{projectId}',
      about: 'project',
      tag: TAG,
      summary: 'Change a Project’s name or allowed origins',
      description: 'The environment of a Project never changes.',
      body: ChangeProject,
      answer: Success(Project),
      example: {
        body: { allowedOrigins: ['https://example.com'] },
        answer: success(projectExample),
      },
      handle: async ({ request, body }) =>
        success(await changeProject(deps, request, request.projectId, body)),
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/api-keys',
      about: 'body',
      tag: TAG,
      summary: 'Create an API key',
      description:
        'Only this response contains the key. It is stored as a hash and cannot be read again.',
      keepsAnswer: false,
      body: CreateApiKey,
      answer: Type.Object({ success: Type.Literal(true), data: ApiKey, key: Type.String() }),
      refusals: [{ code: 'NOT_FOUND', when: 'the Workspace does not exist' }],
      example: {
        body: {
          workspaceId: 'ws_01ka3m…',
          environment: 'sandbox',
          name: 'Backend',
          permissions: 'backend',
        },
        answer: { success: true, data: keyExample, key: 'gw_sandbox_…' },
      },
      handle: async ({ request, body }) => {
        const { apiKey, key } = await createApiKey(deps, request, body);
        return { success: true as const, data: apiKey, key };
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/api-keys',
      about: 'query',
      tag: TAG,
      summary: 'List a Workspace’s API keys, newest first, without the keys themselves',
      query: ListApiKeys,
      answer: CursorList(ApiKey),
      refusals: [{ code: 'NOT_FOUND', when: 'the Workspace does not exist' }],
      example: { answer: { success: true, data: [keyExample], nextCursor: null } },
      handle: async ({ query }) => {
        const page = toCursorPage(query, 'key');
        return pageOf(await listKeys(reads, query, page), page, (row) => row);
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/api-keys/{keyId}/revoke',
      about: itsKey,
      tag: TAG,
      summary: 'Revoke an API key immediately',
      answer: Success(ApiKey),
      refusals: [{ code: 'NOT_FOUND', when: 'the key does not exist' }],
      example: { answer: success({ ...keyExample, revokedAt: at }) },
      handle: async ({ request, params }) =>
        success(await revokeApiKey(deps, request, params.keyId as string)),
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/api-keys/{keyId}/rotate',
      about: itsKey,
      tag: TAG,
      summary: 'Replace an API key; the old key stops working after a grace period',
      keepsAnswer: false,
      body: RotateApiKey,
      answer: Type.Object({ success: Type.Literal(true), data: ApiKey, key: Type.String() }),
      refusals: [{ code: 'NOT_FOUND', when: 'the key does not exist' }],
      example: {
        body: { oldKeyEndsAfterHours: 24 },
        answer: { success: true, data: keyExample, key: 'gw_sandbox_…' },
      },
      handle: async ({ request, params, body }) => {
        const hours = body.oldKeyEndsAfterHours ?? undefined;
        const { apiKey, key } = await rotateApiKey(deps, request, params.keyId as string, hours);
        return { success: true as const, data: apiKey, key };
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/projects/{projectId}/widget-secrets',
      about: 'project',
      tag: TAG,
      summary: 'Create a secret for signing Widget tokens; the previous secret expires a day later',
      keepsAnswer: false,
      answer: Type.Object({
        success: Type.Literal(true),
        data: WidgetSecret,
        secret: Type.String(),
      }),
      example: { answer: { success: true, data: secretExample, secret: 'wsec_…' } },
      handle: async ({ request }) => {
        const { widgetSecret, secret } = await createWidgetSecret(deps, request);
        return { success: true as const, data: widgetSecret, secret };
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/projects/{projectId}/widget-secrets',
      about: 'project',
      tag: TAG,
      summary: 'List a Project’s Widget secrets, newest first, without the secrets themselves',
      answer: Success(Type.Array(WidgetSecret)),
      example: { answer: success([secretExample]) },
      handle: async ({ request }) => success(await listWidgetSecrets(reads, request.projectId)),
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/projects/{projectId}/widget-secrets/{secretId}/revoke',
      about: 'project',
      tag: TAG,
      summary: 'Revoke a Widget secret immediately',
      answer: Success(WidgetSecret),
      refusals: [{ code: 'NOT_FOUND', when: 'the secret does not exist' }],
      example: { answer: success({ ...secretExample, revokedAt: at }) },
      handle: async ({ request, params }) =>
        success(await revokeWidgetSecret(deps, request, params.secretId as string)),
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/audit-log',
      about: 'query',
      tag: TAG,
      summary: 'List the changes made in a Workspace and who made them, newest first',
      description: 'An entry must match all filters. `from` and `to` are inclusive.',
      query: ListAudit,
      answer: CursorList(AuditEntry),
      refusals: [{ code: 'NOT_FOUND', when: 'the Workspace or the Project does not exist' }],
      example: {
        answer: {
          success: true,
          data: [
            {
              id: 'aud_01ka3m…',
              at,
              workspaceId: 'ws_01ka3m…',
              projectId: 'prj_01ka3m…',
              actorType: 'cli',
              actorId: 'admin-token',
              action: 'project.create',
              targetType: 'project',
              targetId: 'prj_01ka3m…',
              requestId: 'req_01ka3m…',
              ip: '127.0.0.1',
              changes: { name: 'Shop', environment: 'sandbox' },
              before: null,
              agent: null,
            },
          ],
          nextCursor: null,
        },
      },
      handle: async ({ query }) => {
        const page = toCursorPage(query, 'aud');
        return pageOf(await listAudit(reads, query, page), page, (row) => row);
      },
    }),
  ];
}
