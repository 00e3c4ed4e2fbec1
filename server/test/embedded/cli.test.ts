import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_TOKEN, openService, type TestService } from '../harness.ts';
import { type Ended, killAll, runCli } from '../process.ts';

let service: TestService;
const empty = mkdtempSync(join(tmpdir(), 'goodword-cli-'));
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => {
  await killAll();
  await service.close();
  rmSync(empty, { recursive: true });
});

/** A millisecond after the one before: within one, what is newest first is not told apart. */
function cli(line: string, env: Record<string, string> = {}): Promise<Ended> {
  service.clock.advance(1);
  return runCli(line.split(' '), { BASE_URL: service.url, ADMIN_TOKEN, DATA_DIR: empty, ...env });
}

async function json(line: string) {
  const { code, stdout, stderr } = await cli(`${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

function readFeed(key: string, projectId: string) {
  return service.call('GET', '/v1/webhook-events', { as: key, query: { projectId } });
}

test('init makes all that a first call needs, and the call it names works as printed', async () => {
  const { code, stdout, stderr } = await cli('init --name Globex --project Store');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Workspace +ws_\w{26} {2}Globex$/m);
  expect(stdout).toMatch(/^Project +prj_\w{26} {2}Store, sandbox$/m);
  expect(stdout).toMatch(/^API key +gw_sandbox_\w{49}$/m);
  expect(stdout).toMatch(/^Widget secret +wsec_[\w-]{43}$/m);
  expect(stdout).not.toContain(ADMIN_TOKEN);

  const command = stdout.slice(stdout.indexOf('curl '));
  const answer = await promisify(execFile)('sh', ['-c', `${command.trim()} --silent`]);
  expect(JSON.parse(answer.stdout)).toMatchObject({
    success: true,
    data: { externalId: 'user-1', kind: 'individual' },
  });
});

test('init names a call that a key of few permissions may make', async () => {
  const { stdout } = await cli('init --permissions read_only');
  expect(stdout).toContain(`curl '${service.url}/v1/webhook-events?projectId=prj_`);
  expect((await cli('init --permissions track:write')).stdout).not.toContain('curl');
});

test('init as JSON has the ids, the key and the secret', async () => {
  const setup = await json('init --environment live');
  expect(setup).toMatchObject({
    baseUrl: service.url,
    workspace: { name: 'Acme' },
    project: { workspaceId: setup.workspace.id, name: 'Shop', environment: 'live' },
    apiKey: { workspaceId: setup.workspace.id, environment: 'live' },
    widgetSecret: { projectId: setup.project.id },
  });
  expect(setup.secret).toMatch(/^wsec_/);
  expect((await readFeed(setup.key, setup.project.id)).status).toBe(200);
});

test('step by step: workspace, project, key, rotation, revocation, widget secret, audit', async () => {
  const workspaceId = (await json('workspace create --name Acme')).data.id;
  const project = await json(
    `project create --workspace ${workspaceId} --name Shop --environment live --allowed-origin https://a.test --allowed-origin https://b.test`,
  );
  expect(project.data.allowedOrigins).toEqual(['https://a.test', 'https://b.test']);
  const projectId = project.data.id;

  const made = await json(
    `key create --workspace ${workspaceId} --environment live --name Backend --permissions webhooks:read,track:write --expires-at 2027-01-31T00:00:00Z`,
  );
  expect(made.data.permissions).toEqual(['webhooks:read', 'track:write']);
  expect(made.data.expiresAt).toBe('2027-01-31T00:00:00.000Z');
  expect((await readFeed(made.key, projectId)).status).toBe(200);

  const rotated = await json(`key rotate ${made.data.id} --old-key-ends-after-hours 0 --yes`);
  service.clock.advance(2_000);
  expect((await readFeed(made.key, projectId)).status).toBe(401);
  expect((await readFeed(rotated.key, projectId)).status).toBe(200);
  const unasked = await cli(`key revoke ${rotated.data.id}`);
  expect(unasked).toMatchObject({ code: 2, stdout: '' });
  expect(unasked.stderr).toContain(`${rotated.data.id}. Add --yes to skip the confirmation`);
  expect((await readFeed(rotated.key, projectId)).status).toBe(200);
  const revoked = await json(`key revoke --key ${rotated.data.id} --yes`);
  expect(revoked.data).toMatchObject({ id: rotated.data.id, revokedAt: expect.any(String) });
  expect((await readFeed(rotated.key, projectId)).status).toBe(401);

  const secret = await cli(`widget-secret create --project ${projectId}`);
  expect(secret.stdout).toMatch(/^Secret +wsec_[\w-]{43}$/m);
  expect(secret.stdout).toContain('It is shown only once');

  const keys = await cli(`keys list --workspace ${workspaceId}`);
  expect(keys.stdout.split('\n')).toHaveLength(4);
  expect(keys.stdout).toContain(`${made.data.prefix}…${made.data.last4}`);
  expect(keys.stdout).not.toContain(made.key);
  expect((await json(`project list --workspace ${workspaceId}`)).data).toEqual([project.data]);
  expect((await cli('workspace list')).stdout).toContain(`${workspaceId}  Acme`);

  const audit = await json(`audit --workspace ${workspaceId}`);
  expect(audit.data.map((entry: { action: string }) => entry.action)).toEqual([
    'widget_secret.create',
    'api_key.revoke',
    'api_key.rotate',
    'api_key.create',
    'project.create',
    'workspace.create',
  ]);
  const newest = await cli(`audit --workspace ${workspaceId} --limit 2`);
  expect(newest.stdout).toContain('cli         admin-token  api_key.revoke');
  expect(newest.stdout).not.toContain('api_key.rotate');
  expect(newest.stdout).toContain('There are more: use a higher --limit, or --all.');
});

test('a project gets another name or other origins, and keeps what is not named', async () => {
  const { project } = await json('init');
  const change = `project change --project ${project.id}`;
  const renamed = await json(`${change} --name Store`);
  expect(renamed.data).toMatchObject({ id: project.id, name: 'Store', allowedOrigins: [] });
  const origins = '--allowed-origin https://a.test --allowed-origin https://b.test';
  expect((await cli(`${change} ${origins}`)).stdout).toMatch(
    /^Allowed origins +https:\/\/a\.test, https:\/\/b\.test$/m,
  );
  const { data } = await json(`project list --workspace ${project.workspaceId}`);
  expect(data).toMatchObject([
    { name: 'Store', allowedOrigins: ['https://a.test', 'https://b.test'] },
  ]);
  const nothing = await cli(change);
  expect(nothing).toMatchObject({ code: 2, stdout: '' });
  expect(nothing.stderr).toBe('Say what to change: --name, --allowed-origins.\n');
});

test('widget secrets are listed without themselves, and end one by one', async () => {
  const { project, widgetSecret, secret } = await json('init');
  const at = `--project ${project.id}`;
  const second = await json(`widget-secret create ${at}`);
  const revoked = await cli(`widget-secret revoke ${at} --secret ${widgetSecret.id} --yes`);
  expect(revoked.code).toBe(0);
  const list = await json(`widget-secret list ${at}`);
  expect(list.data).toMatchObject([
    { id: second.data.id, revokedAt: null },
    { id: widgetSecret.id, revokedAt: expect.any(String) },
  ]);
  const { stdout } = await cli(`widget-secret list ${at}`);
  expect(stdout.split('\n')).toHaveLength(4);
  expect(stdout).toContain(`${widgetSecret.id}  ${secret.slice(-4)}`);
  expect(stdout).not.toContain(secret);
});

test('somebody is invited to the console, and the team is listed', async () => {
  const workspaceId = (await json('workspace create --name Acme')).data.id;
  const invite = (role: string) =>
    cli(`team invite --workspace ${workspaceId} --email grace@example.com --role ${role}`);
  const { code, stdout } = await invite('owner');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Link +https:\/\/refer\.example\.com\/console\/invitation#[\w-]{43}$/m);
  expect(stdout).toMatch(/^Mailed +no$/m);
  const wrong = await invite('king');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('owner, admin')]);
  const list = await cli(`team list --workspace ${workspaceId}`);
  expect(list.stdout).toBe('There is none.\n');
});

test('a refusal is the service’s message with its request id, and exit code 1', async () => {
  const unknown = await cli('project create --workspace ws_none --name x --environment live');
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(/^NOT_FOUND: No such workspace.*\nRequest id: req_\w{26}\n$/);
  const token = 'another-token-that-is-not-the-right-one';
  const stranger = await cli('workspace list', { ADMIN_TOKEN: token });
  expect(stranger).toMatchObject({ code: 1, stdout: '' });
  expect(stranger.stderr).toContain('This credential is not valid.');
  expect(stranger.stderr).not.toContain(token);
});

test('a line that is not understood is exit code 2 and calls nothing', async () => {
  const before = service.log.length;
  const { code, stdout, stderr } = await cli('init --permissions everything');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--permissions must be one of full, backend,');
  expect(service.log.length).toBe(before);
});

test('the token comes from the data folder unless it is set, and its absence is explained', async () => {
  const path = join(empty, 'admin-token');
  const without = await cli('workspace list', { ADMIN_TOKEN: '' });
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toContain(`There is no admin token at ${path}.\nStart the service with`);
  writeFileSync(path, `${ADMIN_TOKEN}\n`);
  expect((await cli('workspace list', { ADMIN_TOKEN: '' })).code).toBe(0);
});

test('a service that is not there, and settings that are none, are sentences', async () => {
  const nowhere = await cli('workspace list', { BASE_URL: '', PORT: '1' });
  expect(nowhere).toMatchObject({ code: 3, stdout: '' });
  expect(nowhere.stderr).toContain('Goodword does not answer at http://127.0.0.1:1 (');
  expect(nowhere.stderr).toContain('Start it with: npm start');
  const wrong = await cli('workspace list', { BASE_URL: 'nonsense' });
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/^BASE_URL must be an address/);
});

test('the clock of a sandbox project is shown and set forward', async () => {
  const { project } = await json('init');
  const show = () => json(`clock show --project ${project.id}`);
  expect((await show()).data).toMatchObject({ projectId: project.id, offsetMs: 0 });
  const now = '2027-01-31T00:00:00.000Z';
  const set = await cli(`clock set --project ${project.id} --now ${now}`);
  expect({ code: set.code, stderr: set.stderr }).toEqual({ code: 0, stderr: '' });
  expect(set.stdout).toContain(now);
  expect((await show()).data.now).toBe('2027-01-31T00:00:00.001Z');
  const back = await cli(`clock set --project ${project.id} --now ${now}`);
  expect(back).toMatchObject({ code: 1, stdout: '' });
  expect(back.stderr).toContain('now must not be before 2027-01-31T00:00:00.002Z');
});
