import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Env, killAll, launch, type Program, startProgram } from '../process.ts';

const root = mkdtempSync(join(tmpdir(), 'goodword-start-'));
afterAll(async () => {
  await killAll();
  rmSync(root, { recursive: true, force: true });
});

/** Made once: a warm start is faster than a first one. */
const DATA_DIR = join(root, 'data');
const adminToken = () => readFileSync(join(DATA_DIR, 'admin-token'), 'utf8').trim();

function call(program: Program, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(program.url + path, {
    ...init,
    headers: { authorization: `Bearer ${adminToken()}`, 'content-type': 'application/json' },
  });
}

describe('a first start', () => {
  test('makes a folder and an admin token for its owner alone, and never shows the token (D-ADM-1)', async () => {
    const program = await startProgram({ DATA_DIR, LOG_LEVEL: 'trace' });
    const token = adminToken();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(readdirSync(DATA_DIR).sort()).toEqual([
      'admin-token',
      'control.sock',
      'postgres',
      'root-key',
      'store-generation',
    ]);
    expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
    for (const name of ['admin-token', 'root-key']) {
      expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
    }
    const made = await call(program, '/v1/workspaces', { method: 'POST', body: '{"name":"Acme"}' });
    expect(made.status).toBe(200);
    const refused = await call(program, '/v1/workspaces', { method: 'POST', body: token });
    expect(refused.status).toBe(400);

    const { code, stdout, stderr } = await program.kill('SIGTERM');
    expect(code).toBe(0);
    expect(stdout).toContain(join(DATA_DIR, 'admin-token'));
    expect(stdout).toContain('"msg":"request"');
    const rootKey = readFileSync(join(DATA_DIR, 'root-key'), 'utf8').trim();
    for (const secret of [token, rootKey]) {
      expect(stdout).not.toContain(secret);
      expect(stderr).not.toContain(secret);
    }
  });
});

/** What several tests need is started once, after the first start. The last of them kills it. */
let serving: Promise<Program> | undefined;
function serve(): Promise<Program> {
  serving ??= startProgram({ DATA_DIR });
  return serving;
}

test('it says that it is alive, ready and how it is doing', async () => {
  const { url } = await serve();
  const [alive, ready, metrics] = await Promise.all(
    ['/healthz', '/readyz', '/metrics'].map((path) => fetch(url + path)),
  );
  expect([alive?.status, await alive?.json()]).toEqual([200, { status: 'ok' }]);
  expect([ready?.status, await ready?.json()]).toEqual([200, { status: 'ready' }]);
  expect(metrics?.headers.get('content-type')).toContain('text/plain');
  expect(await metrics?.text()).toContain('# TYPE process_cpu_seconds_total counter');
});

test('a second process on the same folder is refused, and the first keeps working', async () => {
  const first = await serve();
  const second = await launch({ DATA_DIR }).ended;
  expect(second.code).toBe(1);
  expect(second.stdout).toBe('');
  expect(second.stderr).toBe(
    `Goodword cannot start.\nAnother Goodword process is already using the data folder ${DATA_DIR}. Stop it first, or set DATA_DIR to another folder.\n`,
  );
  const made = await call(first, '/v1/workspaces', { method: 'POST', body: '{"name":"Still"}' });
  expect(made.status).toBe(200);
});

test('a start after a crash says what it is at, step by step; one after a stop does not', async () => {
  const steps = (stdout: string) =>
    [...stdout.matchAll(/^\{.*"elapsedMs":\d+,.*"msg":"start: (.*)"\}$/gm)].map(([, what]) => what);
  await (await serve()).kill('SIGKILL');
  const afterCrash = await (await startProgram({ DATA_DIR })).kill('SIGTERM');
  expect(steps(afterCrash.stdout)).toEqual([
    'the database was not shut down cleanly: syncing its files to disk',
    'recovering the database',
    'replaying the write-ahead log',
    'replayed the write-ahead log, writing a checkpoint',
    'checking that commits reach the disk',
    'checking the schema',
    'ready',
  ]);
  const afterStop = await (await startProgram({ DATA_DIR })).kill('SIGTERM');
  expect(steps(afterStop.stdout).join()).not.toMatch(/recovering|replay/);
});

test('a port that is taken is named before anything is made', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const untouched = join(root, 'no-port');
  const refused = await launch({ DATA_DIR: untouched, PORT: String(port) }).ended;
  other.close();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toBe(
    `Goodword cannot start.\nPort ${port} of 127.0.0.1 is already in use. Stop the process that listens there, or set PORT to another port.\n`,
  );
  expect(refused.stdout).toBe('');
  expect(readdirSync(root)).not.toContain('no-port');
});

describe('settings that cannot be used', () => {
  const password = 'pass-word-that-stays-secret';
  const external = `postgres://goodword:${password}@127.0.0.1:1/goodword`;
  const key = Buffer.alloc(32, 9).toString('base64');
  const cases: { env: Env; sentences: string[] }[] = [
    {
      env: { PORT: 'abc' },
      sentences: ['PORT must be a whole number from 0 to 65535, not "abc".'],
    },
    {
      env: { LOG_LEVEL: 'loud' },
      sentences: [
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".',
      ],
    },
    {
      env: { BASE_URL: 'x' },
      sentences: ['BASE_URL must be an address such as https://refer.example.com, not "x".'],
    },
    {
      env: { DATABASE_URL: external, ROOT_KEY: key },
      sentences: [
        'ADMIN_TOKEN is required with DATABASE_URL. Create one with: openssl rand -hex 32',
      ],
    },
    {
      env: { DATABASE_URL: `mysql://goodword:${password}@127.0.0.1/goodword` },
      sentences: ['DATABASE_URL must be an address that starts with postgres:// or postgresql://.'],
    },
    {
      env: { ADMIN_TOKEN: password },
      sentences: ['ADMIN_TOKEN must have at least 32 characters and no white space.'],
    },
    {
      env: { ROOT_KEY: password },
      sentences: ['ROOT_KEY must be 32 bytes in base64, for example from: openssl rand -base64 32'],
    },
    {
      env: { SMTP_URL: `smtp://goodword:${password}@127.0.0.1` },
      sentences: ['MAIL_FROM is required with SMTP_URL. It is the sender address of mails.'],
    },
    {
      env: { ROLE: 'worker' },
      sentences: [
        'ROLE can be worker only with DATABASE_URL, because the embedded database serves one process only.',
      ],
    },
    {
      env: { PORT: '70000', TRUST_PROXY: 'perhaps', WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/64' },
      sentences: [
        'PORT must be a whole number from 0 to 65535, not "70000".',
        'WEBHOOK_ALLOWED_CIDRS has "10.0.0.0/64", which is not a network such as 10.0.0.0/8.',
        'TRUST_PROXY must be false, a number of proxies, or addresses and networks, not "perhaps".',
      ],
    },
  ];
  const named = cases.map((one) => ({ ...one, names: Object.keys(one.env).join(', ') }));
  test.each(named)(
    '$names: each fault is a sentence, and no secret is shown',
    async ({ env, sentences }) => {
      const untouched = join(root, 'untouched');
      const ended = await launch({ DATA_DIR: untouched, ...env }).ended;
      expect(ended.code).toBe(1);
      expect(ended.stdout).toBe('');
      expect(ended.stderr).toBe(`Goodword cannot start.\n${sentences.join('\n')}\n`);
      expect(ended.stderr).not.toContain(password);
      expect(readdirSync(root)).not.toContain('untouched');
    },
  );

  test.each([
    ['HOST', '999.1.1.1', 'HOST must be an address or a name of this machine, not "999.1.1.1" ('],
    ['HOST', '192.0.2.1', 'HOST must be an address or a name of this machine, not "192.0.2.1" ('],
    ['DATA_DIR', import.meta.filename, 'DATA_DIR cannot be used: EEXIST'],
  ])(
    '%s %s: what the machine does not have is named, without a stack',
    async (name, value, begin) => {
      const { code, stderr } = await launch({ DATA_DIR, [name]: value }).ended;
      expect(code).toBe(1);
      expect(stderr.startsWith(`Goodword cannot start.\n${begin}`)).toBe(true);
      expect(stderr.split('\n')).toHaveLength(3);
    },
  );

  test('a database that does not answer is named without its password', async () => {
    const adminToken = 'an-admin-token-of-forty-characters-or-so';
    const ended = await launch({ DATABASE_URL: external, ADMIN_TOKEN: adminToken, ROOT_KEY: key })
      .ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^Goodword cannot start\.\n.*ECONNREFUSED 127\.0\.0\.1:1.*\n$/);
    for (const secret of [password, adminToken, key]) {
      expect(ended.stdout + ended.stderr).not.toContain(secret);
    }
  });
});
