import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addEndpoint, addParticipant, expectPrefix, keepWriting } from '../backup-shop.ts';
import { createPostgres } from '../database.ts';
import { readFeed, type Shop } from '../embedded/shop.ts';
import { Fleet } from '../fleet.ts';
import { ADMIN_TOKEN, ROOT_KEY } from '../harness.ts';
import { findBinaries } from '../private-postgres.ts';
import { killAll, launch, runRestore, runVerifier, startProgram } from '../process.ts';
import { type Catcher, catchWebhooks } from '../webhook-catcher.ts';

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'goodword-pg-backup-'));
const DUMP = join(root, 'goodword.dump');
const env = (url: string, rootKey: Buffer = ROOT_KEY) => ({
  DATABASE_URL: url,
  ADMIN_TOKEN,
  ROOT_KEY: rootKey.toString('base64'),
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
});
const before = ['ada', 'bob', 'eve'];
let shop: Shop;
let meanwhile: string[];
let cursor: string;
let catcher: Catcher;
let restored: { url: string; drop(): Promise<void> };

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

/** As docs/backup.md says. */
async function dump(url: string): Promise<void> {
  const bin = await findBinaries();
  await run(join(bin, 'pg_dump'), ['--format=custom', `--file=${DUMP}`, url]);
}
async function restore(url: string, file = DUMP): Promise<void> {
  const bin = await findBinaries();
  const options = ['--single-transaction', '--no-owner', `--dbname=${url}`];
  await run(join(bin, 'pg_restore'), [...options, file]);
}

beforeAll(async () => {
  catcher = await catchWebhooks();
  const fleet = await Fleet.open();
  // Nobody sends yet, so that deliveries wait in the backup.
  await fleet.startApi('api');
  const { url } = fleet.api as { url: string };
  shop = await fleet.newProject();
  await addEndpoint(url, shop, catcher.url);
  for (const name of before) await addParticipant(url, shop, name);
  cursor = (await readFeed(url, shop)).next as string;
  const stopWriting = keepWriting(url, shop, 'meanwhile');
  await dump(fleet.url);
  meanwhile = await stopWriting();
  await addParticipant(url, shop, 'too-late');
  // The database is dropped, with whatever is in it.
  await fleet.close();
  restored = await createPostgres();
  await restore(restored.url);
});
afterAll(async () => {
  await killAll();
  await restored.drop();
  await catcher.close();
  rmSync(root, { recursive: true, force: true });
});

test('a dump taken while the service writes has nothing that differs', async () => {
  expect(await runVerifier(['--providers'], env(restored.url))).toMatchObject({
    code: 0,
    stdout: '1 project verified: nothing differs.\n',
  });
});

test('of a dump that is cut off nothing is restored, so that it can be tried again', async () => {
  const cut = join(root, 'cut.dump');
  const whole = readFileSync(DUMP);
  writeFileSync(cut, whole.subarray(0, Math.floor(whole.length * 0.97)));
  const target = await createPostgres();
  await expect(restore(target.url, cut)).rejects.toThrow('could not read from input file');
  await restore(target.url);
  expect(await runVerifier([], env(target.url))).toMatchObject({ code: 0 });
  await target.drop();
});

test('the root key belongs to it: with another the restored store is not opened', async () => {
  const { code, stderr } = await launch(env(restored.url, Buffer.alloc(32, 9))).ended;
  expect(code).toBe(1);
  expect(stderr).toContain('This is not the root key of this store.');
});

test('what was acknowledged before is there, readers go on, and webhooks are sent', async () => {
  const program = await startProgram(env(restored.url));
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const read = async (path: string) =>
    ((await (await fetch(`${program.url}${path}`, { headers })).json()) as Listed).data;
  const [workspace] = await read('/v1/workspaces');
  // Another database than the one that the service last ran on.
  expect(await read(`/v1/workspaces/${workspace?.id}/restores`)).toMatchObject([
    { status: 'held', cause: 'moved' },
  ]);
  const { externalIds } = await expectPrefix(program.url, shop, before, meanwhile);
  expect(externalIds).not.toContain('too-late');
  const { externalIds: after } = await readFeed(program.url, shop, cursor);
  expect(after).toEqual(externalIds.slice(before.length));
  await addParticipant(program.url, shop, 'zoe');
  const expected = [...externalIds, 'zoe'];
  await vi.waitFor(() => expect(catcher.caught).toHaveLength(expected.length), 30_000);
  const received = catcher.caught.map(({ text }) => JSON.parse(text).data.participant.externalId);
  expect(received.toSorted()).toEqual(expected.toSorted());
});

test('a restore can be declared by hand; one that is open takes the earlier time', async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const declare = (time: string) => runRestore('--declare', env(restored.url), time);
  expect(await declare('yesterday')).toMatchObject({ code: 1 });
  const first = await declare(since);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^1 workspaces pay nothing until they are released: rst_\w+\.\n$/);
  expect((await declare(since)).stdout).toBe(first.stdout);
});
