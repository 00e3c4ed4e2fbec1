import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { addEndpoint, addParticipant, expectPrefix, keepWriting } from '../backup-shop.ts';
import {
  type Env,
  killAll,
  launch,
  launchBackup,
  type Program,
  runBackup,
  runRestore,
  runVerifier,
  startProgram,
} from '../process.ts';
import { type Catcher, catchWebhooks } from '../webhook-catcher.ts';
import { makeDataFolder, openShop, readFeed, type Shop } from './shop.ts';

const root = mkdtempSync(join(tmpdir(), 'goodword-backup-'));
const DATA_DIR = join(root, 'data');
const BACKUP = join(root, 'backup');
const env: Env = { DATA_DIR, LOG_LEVEL: 'error', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' };
const before = ['ada', 'bob', 'eve'];
let shop: Shop;
let meanwhile: string[];
let cursor: string | undefined;
let catcher: Catcher;

beforeAll(async () => {
  catcher = await catchWebhooks();
  makeDataFolder(DATA_DIR);
  // It serves only, so that what is to be sent waits.
  const program = await startProgram({ ...env, ROLE: 'api' });
  shop = await openShop(program.url, DATA_DIR);
  await addEndpoint(program.url, shop, catcher.url);
  for (const name of before) await addParticipant(program.url, shop, name);
  cursor = (await readFeed(program.url, shop)).next;
  const stopWriting = keepWriting(program.url, shop, 'meanwhile');
  const backup = await runBackup(BACKUP, env);
  meanwhile = await stopWriting();
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(backup.stdout).toMatch(/^Backed up .* as of \S+Z: \d+ files in .*\/backup\.\n/);
  await addParticipant(program.url, shop, 'too-late');
  await program.kill('SIGKILL');
});
afterEach(killAll);
afterAll(async () => {
  await catcher.close();
  rmSync(root, { recursive: true, force: true });
});

const operate = async (url: string, path: string, method = 'GET') => {
  const token = readFileSync(join(DATA_DIR, 'admin-token'), 'utf8').trim();
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: { id: string }[] }).data;
};

/** Of the only workspace. */
async function listRestores(url: string): Promise<{ id: string }[]> {
  const [workspace] = await operate(url, '/v1/workspaces');
  return operate(url, `/v1/workspaces/${workspace?.id}/restores`);
}

async function release(url: string): Promise<void> {
  const [workspace] = await operate(url, '/v1/workspaces');
  const [restore] = await listRestores(url);
  await operate(url, `/v1/workspaces/${workspace?.id}/restores/${restore?.id}/release`, 'POST');
}

const rootKey = () => readFileSync(join(DATA_DIR, 'root-key'), 'utf8').trim();

test('a backup is the store and a list of its files, and neither key nor token', () => {
  expect(readdirSync(BACKUP).toSorted()).toEqual(['backup.json', 'postgres']);
  const all = readdirSync(BACKUP, { recursive: true, encoding: 'utf8' });
  expect(all.filter((name) => /root-key|admin-token|postmaster/.test(name))).toEqual([]);
  const manifest = readFileSync(join(BACKUP, 'backup.json'), 'utf8');
  expect(manifest).not.toContain(rootKey());
  expect(meanwhile.length).toBeGreaterThan(0);
  // The service's own copy is gone.
  expect(readdirSync(DATA_DIR).filter((name) => name.startsWith('copy-'))).toEqual([]);
});

describe('restoring', () => {
  const restored = join(root, 'restored');
  const env = { DATA_DIR: restored };
  const refused = (sentence: string) => ({
    code: 1,
    stdout: '',
    stderr: `Goodword cannot restore.\n${sentence}\n`,
  });

  test('is refused without the root key, and with another', async () => {
    expect(await runRestore(BACKUP, env)).toMatchObject(
      refused(
        `The root key that encrypted the backup's secrets is missing. Put it into ${restored} as root-key, or set ROOT_KEY.`,
      ),
    );
    const ROOT_KEY = Buffer.alloc(32, 5).toString('base64');
    expect(await runRestore(BACKUP, { ...env, ROOT_KEY })).toMatchObject(
      refused(
        'This is not the root key that encrypted the backup’s secrets. Nothing was restored.',
      ),
    );
    expect(existsSync(join(restored, 'postgres'))).toBe(false);
  });

  test('is refused from a backup with a file that changed, or without its list', async () => {
    const damaged = join(root, 'damaged');
    cpSync(BACKUP, damaged, { recursive: true });
    appendFileSync(join(damaged, 'postgres', 'PG_VERSION'), ' ');
    expect(await runRestore(damaged, { ...env, ROOT_KEY: rootKey() })).toMatchObject(
      refused(
        'The backup is damaged: 1 of its files was changed after it was taken, such as PG_VERSION.',
      ),
    );
    const list = join(damaged, 'backup.json');
    for (const text of [readFileSync(list, 'utf8').slice(0, 1_000), '{}', 'null']) {
      writeFileSync(list, text);
      expect(await runRestore(damaged, { ...env, ROOT_KEY: rootKey() })).toMatchObject(
        refused('The backup is damaged: its backup.json cannot be read.'),
      );
    }
    rmSync(list);
    expect(await runRestore(damaged, { ...env, ROOT_KEY: rootKey() })).toMatchObject(
      refused(`${damaged} is not a backup: it has no backup.json.`),
    );
  });

  test('is refused over a store that is there', async () => {
    expect(await runRestore(BACKUP, { DATA_DIR })).toMatchObject(
      refused(
        `There is already a store in ${DATA_DIR}. Move ${join(DATA_DIR, 'postgres')} away first.`,
      ),
    );
  });
});

test('a used store whose root key is gone does not get a new one', async () => {
  const key = join(DATA_DIR, 'root-key');
  renameSync(key, `${key}.aside`);
  const { code, stderr } = await launch(env).ended;
  expect(code).toBe(1);
  expect(stderr).toContain(
    `The store in ${DATA_DIR} already contains data, but its root key is missing.`,
  );
  expect(existsSync(key)).toBe(false);
  renameSync(`${key}.aside`, key);
});

test('a used store is not opened with another root key', async () => {
  const ROOT_KEY = randomBytes(32).toString('base64');
  const { code, stderr } = await launch({ ...env, ROOT_KEY }).ended;
  expect(code).toBe(1);
  expect(stderr).toContain('This is not the root key of this store.');
  expect(stderr).not.toContain(ROOT_KEY);
});

describe('after the store is lost', () => {
  let program: Program;
  test('the backup is restored, nothing in it differs, and all that was acknowledged is there', async () => {
    rmSync(join(DATA_DIR, 'postgres'), { recursive: true });
    const restored = await runRestore(BACKUP, env);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    // As docs/backup.md says: before any process runs on it.
    expect(await runVerifier(['--providers'], env)).toMatchObject({
      code: 0,
      stdout: '1 project verified: nothing differs.\n',
    });
    program = await startProgram(env);
    // It is recognised as restored, to the time of the backup.
    const { takenAt } = JSON.parse(readFileSync(join(BACKUP, 'backup.json'), 'utf8'));
    expect(await listRestores(program.url)).toMatchObject([
      { status: 'held', cause: 'backup', since: takenAt },
    ]);
    const { externalIds } = await expectPrefix(program.url, shop, before, meanwhile);
    expect(externalIds).not.toContain('too-late');
    // A reader's place is sealed with the root key, and still good.
    const { externalIds: after } = await readFeed(program.url, shop, cursor);
    expect(after).toEqual(externalIds.slice(before.length));

    // What waited to be sent is sent, and so is what happens now.
    await addParticipant(program.url, shop, 'zoe');
    const expected = [...externalIds, 'zoe'];
    await vi.waitFor(() => expect(catcher.caught).toHaveLength(expected.length), 30_000);
    const received = catcher.caught.map(({ text }) => JSON.parse(text).data.participant.externalId);
    expect(received.toSorted()).toEqual(expected.toSorted());
  });

  const copies = () => readdirSync(DATA_DIR).filter((name) => name.startsWith('copy-'));

  test('another start of the same store declares nothing, an older copy of its files does', async () => {
    await program.kill('SIGTERM');
    cpSync(join(DATA_DIR, 'postgres'), join(root, 'older'), { recursive: true });
    program = await startProgram(env);
    expect(await listRestores(program.url)).toHaveLength(1);
    await release(program.url);
    await program.kill('SIGTERM');
    program = await startProgram(env);
    expect(await listRestores(program.url)).toMatchObject([{ status: 'released' }]);
    await program.kill('SIGTERM');
    const newest = join(root, 'newest');
    renameSync(join(DATA_DIR, 'postgres'), newest);
    cpSync(join(root, 'older'), join(DATA_DIR, 'postgres'), { recursive: true });
    program = await startProgram(env);
    // The copy was made while the first restore was open; now it is unknown since the same time.
    expect(await listRestores(program.url)).toMatchObject([{ status: 'held' }]);
    await release(program.url);
    await program.kill('SIGTERM');
  });

  test('a backup that is killed leaves no copy in the data folder, and the service runs on', async () => {
    program = await startProgram(env);
    const backup = launchBackup(join(root, 'killed'), env);
    await vi.waitFor(() => expect(copies()).toHaveLength(1), { timeout: 60_000, interval: 5 });
    await backup.kill('SIGKILL');
    await vi.waitFor(() => expect(copies()).toEqual([]), 30_000);
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  });

  test('a backup is taken of a store that nobody runs on, too', async () => {
    const again = join(root, 'again');
    expect(await runBackup(again, env)).toMatchObject({ code: 0, stderr: '' });
    expect(await runBackup(again, env)).toMatchObject({
      code: 1,
      stderr: `Goodword cannot back up.\n${again} already exists. Choose a new folder.\n`,
    });
    const DATABASE_URL = 'postgres://u:hush@127.0.0.1:1/x';
    const { code, stderr } = await runBackup(join(root, 'pg'), { ...env, DATABASE_URL });
    expect(code).toBe(1);
    expect(stderr).toContain('pg_dump');
    expect(stderr).not.toContain('hush');
  });
});
