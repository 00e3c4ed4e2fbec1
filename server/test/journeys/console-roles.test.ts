import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  mayAdminister,
  permissionsOf,
  ROLES,
  type Role,
} from '../../src/platform/http/access/permissions.ts';
import type { Access, Route } from '../../src/platform/http/routes/route.ts';
import { type ConsoleBrowser, joinConsole, setUpConsole } from '../console-browser.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let mine: TestProject;
let foreign: TestProject;
const browsers = new Map<Role, ConsoleBrowser>();

beforeAll(async () => {
  service = await startService({ settings: { requiresTotp: false } });
  mine = await service.newProject();
  const { browser } = await setUpConsole(service);
  browsers.set('owner', browser);
  for (const role of ROLES.slice(1)) {
    browsers.set(role, await joinConsole(browser, { workspaceId: mine.workspaceId, role }));
  }
  // Made afterwards, by the operator: nobody of the team is in it.
  foreign = await service.newProject();
});
afterAll(() => service.close());

const browserOf = (role: Role) => browsers.get(role) as ConsoleBrowser;
const isForUsers = ({ access }: Route) => ['key', 'operator', 'session'].includes(access.by);

/** The rule, said once more in other words than the code's. */
function maySee(access: Access, role: Role): boolean {
  if (access.by === 'session') return true;
  if (access.by === 'key')
    return access.permissions.every((one) => permissionsOf(role).includes(one));
  if (access.by !== 'operator') return false;
  if (access.about === 'own') return true;
  if (access.about === 'new') return role === 'owner';
  const { permission } = access;
  return mayAdminister(role) || (permission !== null && permissionsOf(role).includes(permission));
}

/** Ids of a Workspace's own things, for the routes that find their Workspace by one. */
async function objectsOf({ workspaceId, projectId }: TestProject) {
  const operate = (path: string, body: object) =>
    service.call('POST', path, { as: 'operator', body });
  const key = await operate('/v1/api-keys', {
    workspaceId,
    environment: 'sandbox',
    name: 'Object',
    permissions: 'read_only',
  });
  const invitation = await operate('/v1/invitations', {
    workspaceId,
    email: `${Math.random()}@example.com`,
    role: 'viewer',
  });
  const partnerId = `ptn_${workspaceId.slice(3)}`;
  await service.database.transaction((tx) =>
    tx.query(
      `insert into partners (id, workspace_id, environment, name, email, email_key, email_verified_at,
         profile_type, country, status, created_at, updated_at)
       values ($1, $2, 'sandbox', 'P', $3, $3, $4, 'individual', 'GB', 'active', $4, $4)
       on conflict do nothing`,
      [partnerId, workspaceId, `${partnerId}@example.com`, service.clock.now],
    ),
  );
  return {
    workspaceId,
    projectId,
    keyId: key.body.data.id as string,
    invitationId: invitation.body.data.id as string,
    partnerId,
  };
}

function fits(value: string, pattern = ''): boolean {
  return new RegExp(pattern, 'u').test(value);
}

/** Values that fit what a route’s query must have: a day, a month, or a word. */
function neededQuery({ query }: Route): Record<string, string> {
  if (!query) return {};
  return Object.fromEntries(
    (query.required ?? []).map((name) => {
      const { pattern } = query.properties[name] as { pattern?: string };
      return [name, ['word', '2026-11-15', '2026-11'].find((one) => fits(one, pattern)) ?? ''];
    }),
  );
}

/** A call that names its Workspace as the route wants it, and is otherwise as empty as can be. */
function callAbout(route: Route, ids: Record<string, string>, body: unknown = {}) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x_nothing');
  const known = (schema: Route['query']) =>
    Object.fromEntries(
      Object.keys(schema?.properties ?? {}).flatMap((name) =>
        (name === 'workspaceId' || name === 'projectId') && ids[name] !== undefined
          ? [[name, ids[name]]]
          : [],
      ),
    );
  return {
    path,
    options: {
      query: { ...neededQuery(route), ...known(route.query) },
      ...(route.method === 'GET' || route.method === 'DELETE'
        ? {}
        : { body: { ...(body as object), ...known(route.body) } }),
    },
  };
}

describe('every route', () => {
  test.each(ROLES)('lets %s do what the role may, and refuses the rest', async (role) => {
    const ids = await objectsOf(mine);
    for (const route of service.routes.filter(isForUsers)) {
      if (route.isStream) continue;
      const { path, options } = callAbout(route, ids);
      const { status, body } = await browserOf(role).call(route.method, path, options);
      const told = `${role} ${route.method} ${route.path} ${status} ${body.error?.message}`;
      // What is asked for may be wrong or missing: but the role is not in the way.
      const expected = maySee(route.access, role) ? [200, 400, 404, 409] : [403];
      expect(expected, told).toContain(status);
    }
  });

  test('shows the owner of one Workspace nothing of another, as if it were not there', async () => {
    const ids = await objectsOf(foreign);
    for (const route of service.routes.filter(isForUsers)) {
      const { access } = route;
      const isAboutNone =
        access.by === 'session' ||
        (access.by === 'operator' && (access.about === 'own' || access.about === 'new'));
      if (isAboutNone || route.isStream) continue;
      const { path, options } = callAbout(route, ids, route.example.body);
      const { status, body } = await browserOf('owner').call(route.method, path, options);
      const told = `${route.method} ${route.path} ${status} ${body.error?.message}`;
      expect(status, told).toBe(404);
      expect(body.error.message, told).toMatch(
        /^No such (project|workspace|API key|partner|invitation)\.$/,
      );
    }
  });
});

describe('lists of one’s own', () => {
  test('have the Workspaces and Projects that one is in, and no others', async () => {
    const viewer = browserOf('viewer');
    const ids = (answer: { body: { data: { id: string }[] } }) =>
      answer.body.data.map(({ id }) => id);
    expect(ids(await viewer.get('/v1/workspaces'))).toEqual([mine.workspaceId]);
    expect(ids(await viewer.get('/v1/projects'))).toEqual([mine.projectId]);
    const other = await viewer.get('/v1/projects', { workspaceId: foreign.workspaceId });
    const nothing = await viewer.get('/v1/projects', { workspaceId: 'ws_nothing' });
    expect([other.status, nothing.status]).toEqual([404, 404]);
    expect(other.body.error.message).toBe(nothing.body.error.message);
  });

  test('have a new Workspace at once for whoever made it, who owns it', async () => {
    const owner = browserOf('owner');
    const made = await owner.post('/v1/workspaces', { name: 'Second' });
    expect(made.status).toBe(200);
    const { body } = await owner.session();
    expect(body.data.memberships).toContainEqual(
      expect.objectContaining({ workspaceId: made.body.data.id, role: 'owner' }),
    );
    const project = { workspaceId: made.body.data.id, name: 'Shop', environment: 'live' };
    expect((await owner.post('/v1/projects', project)).status).toBe(200);
    expect((await browserOf('admin').post('/v1/workspaces', { name: 'Third' })).status).toBe(403);
  });
});

test('a user sees both environments, and is the actor of what they do', async () => {
  const admin = browserOf('admin');
  for (const environment of ['sandbox', 'live']) {
    const project = await admin.post('/v1/projects', {
      workspaceId: mine.workspaceId,
      name: environment,
      environment,
    });
    const { id } = project.body.data;
    expect((await admin.get('/v1/programs', { projectId: id })).status).toBe(200);
    const source = await admin.post('/v1/sources', { projectId: id, name: 'App' });
    expect(source.status).toBe(200);
    const log = await admin.get('/v1/audit-log', {
      workspaceId: mine.workspaceId,
      projectId: id,
    });
    const { body } = await admin.session();
    for (const entry of log.body.data) {
      expect([entry.actorType, entry.actorId]).toEqual(['user', body.data.user.id]);
    }
  }
});
