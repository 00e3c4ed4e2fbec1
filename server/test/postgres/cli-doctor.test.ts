import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPostgres } from '../database.ts';
import { killAll, type Program, runCli, startProgram } from '../process.ts';
import { TestSmtpServer } from '../smtp-server.ts';

const ADMIN_TOKEN = 'test-admin-token-0123456789abcdef-0123456789';
const ROOT_KEY = Buffer.alloc(32, 7).toString('base64');
let database: Awaited<ReturnType<typeof copyPostgres>>;
let program: Program;
let env: Record<string, string>;

beforeAll(async () => {
  database = await copyPostgres();
  env = { DATABASE_URL: database.url, ADMIN_TOKEN, ROOT_KEY };
  program = await startProgram(env);
  const { code, stderr } = await runCli(['init'], { ...env, GOODWORD_URL: program.url });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
afterAll(async () => {
  await killAll();
  await database.drop();
});

async function doctor(more: Record<string, string> = {}) {
  const ended = await runCli(['doctor', '--json'], { ...env, GOODWORD_URL: program.url, ...more });
  expect(ended.stderr).toBe('');
  const { findings } = JSON.parse(ended.stdout);
  const of = (check: string) =>
    findings.filter((finding: { check: string }) => finding.check === check);
  return { ...ended, of };
}

test('the database is asked for its version, its durability, its clock, its schema and its secrets', async () => {
  const smtp = new TestSmtpServer();
  const SMTP_URL = await smtp.listen();
  const { of } = await doctor({ SMTP_URL, MAIL_FROM: 'a@b.test', BASE_URL: program.url });
  smtp.close();
  for (const check of [
    'database',
    'migrations',
    'database’s clock',
    'service',
    'service’s clock',
    'root key',
    'mail',
    'BASE_URL',
  ]) {
    expect(of(check), check).toMatchObject([{ level: 'ok' }]);
  }
  // A database for tests forgets on purpose; one for money must not.
  expect(of('durability')).not.toEqual([]);
});

test('a root key that is not this database’s is found out', async () => {
  const wrong = Buffer.alloc(32, 8).toString('base64');
  const { code, of, stdout } = await doctor({ ROOT_KEY: wrong });
  expect(code).toBe(1);
  expect(of('root key')).toMatchObject([
    { level: 'problem', message: 'ROOT_KEY cannot decrypt the secrets in this database' },
  ]);
  expect(stdout).not.toContain(wrong);
});

test('a database that does not answer is a problem, without its password', async () => {
  const { code, of, stdout } = await doctor({
    DATABASE_URL: 'postgres://goodword:hush@127.0.0.1:2/goodword',
  });
  expect(code).toBe(1);
  expect(of('database')).toMatchObject([{ level: 'problem' }]);
  expect(stdout).not.toContain('hush');
});
