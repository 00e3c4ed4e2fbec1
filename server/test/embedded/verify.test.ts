import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { LINKED_COLUMNS } from '../../src/programs/verify/stores/link-store.ts';
import { runVerify } from '../../src/programs/verify/verify-command.ts';
import { killAll, runVerifier, startProgram } from '../process.ts';
import { makeDataFolder, openShop, type Shop, toParticipant } from './shop.ts';

/** Each process opens the embedded database anew, which takes seconds on a busy machine. */
const root = mkdtempSync(join(tmpdir(), 'goodword-verify-'));
const DATA_DIR = join(root, 'data');
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  makeDataFolder(DATA_DIR);
  const program = await startProgram({ DATA_DIR });
  shop = await openShop(program.url, DATA_DIR);
  other = await openShop(program.url, DATA_DIR);
  for (const one of [shop, other]) {
    await fetch(`${program.url}/v1/participants`, {
      method: 'PUT',
      headers: { 'x-api-key': one.key, 'content-type': 'application/json' },
      body: toParticipant(one, 'ada'),
    });
  }
  await program.kill('SIGTERM');
});
afterEach(killAll);
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function alter(statement: string): Promise<void> {
  const database = createDatabase(await openEmbedded(DATA_DIR));
  await database.transaction((tx) => tx.query(statement, [shop.projectId]));
  await database.close();
}

test('it says about once a second how far it has got', async () => {
  const run = async (stepMs: number) => {
    let ms = 0;
    const lines: string[] = [];
    const clock = { nowMs: () => (ms += stepMs) };
    const printer = { out: () => undefined, err: (text: string) => lines.push(text) };
    expect(await runVerify([], { DATA_DIR }, clock, printer)).toBe(0);
    return lines;
  };
  expect(await run(0)).toEqual([]);
  const lines = await run(1_000);
  expect(lines).toContain(`${shop.projectId} (1 of 2): numbers of feed_events, 1 of 1\n`);
  expect(lines).toContain(
    `${other.projectId} (2 of 2): references, ${LINKED_COLUMNS.length} of ${LINKED_COLUMNS.length}\n`,
  );
  for (const line of lines) expect(line).toMatch(/^prj_\w+ \([12] of 2\): [\w ]+, \d+ of \d+\n$/);
});

test('it asks providers only with the root key', async () => {
  const sound = { code: 0, stdout: '2 projects verified: nothing differs.\n' };
  expect(await runVerifier(['--providers'], { DATA_DIR })).toMatchObject(sound);
  const [file, aside] = [join(DATA_DIR, 'root-key'), join(DATA_DIR, 'root-key.aside')];
  renameSync(file, aside);
  try {
    expect(await runVerifier(['--providers'], { DATA_DIR })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ROOT_KEY is required to ask providers.'),
    });
    expect(existsSync(file)).toBe(false);
    expect(await runVerifier([], { DATA_DIR })).toMatchObject(sound);
  } finally {
    renameSync(aside, file);
  }
});

test('a sound store ends with 0, a damaged one with 1 and a line for what differs', async () => {
  expect(await runVerifier([], { DATA_DIR })).toMatchObject({
    code: 0,
    stdout: '2 projects verified: nothing differs.\n',
  });

  await alter('update project_heads set feed_position = 7 where project_id = $1');
  const finding = {
    projectId: shop.projectId,
    subject: 'head',
    id: shop.projectId,
    field: 'feedPosition',
    stored: '7',
    expected: '1',
  };
  expect(await runVerifier([], { DATA_DIR })).toMatchObject({
    code: 1,
    stdout: `${shop.projectId} head ${shop.projectId}: feedPosition is 7, should be 1\n2 projects verified: 1 difference.\n`,
  });
  const json = await runVerifier(['--json'], { DATA_DIR });
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toEqual({ projects: 2, differences: 1, findings: [finding] });

  const one = await runVerifier(['--project', other.projectId], { DATA_DIR });
  expect(one).toMatchObject({ code: 0, stdout: '1 project verified: nothing differs.\n' });
});

test('while the service uses the folder it ends with 2 and says what to do', async () => {
  await startProgram({ DATA_DIR });
  const ended = await runVerifier([], { DATA_DIR });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toBe(
    `Goodword cannot verify.\nThe service is running on the data folder ${DATA_DIR}, and the embedded database serves one process at a time.\nStop the service, run npm run verify, and start it again. (A store on PostgreSQL can be verified while the service runs.)\n`,
  );
});

test('a folder without a store ends with 2, and none is made', async () => {
  const missing = join(root, 'missing');
  for (const folder of [missing, root]) {
    const ended = await runVerifier([], { DATA_DIR: folder });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`There is no Goodword store in ${folder}.`);
  }
  expect(existsSync(missing)).toBe(false);
  expect(existsSync(join(root, 'postgres'))).toBe(false);
});

test('what is not understood, set wrongly or not there ends with 2', async () => {
  const cases: [string[], Record<string, string>, string][] = [
    [['--everything'], { DATA_DIR }, "Unknown option '--everything'"],
    [['prj_x'], { DATA_DIR }, "Unexpected argument 'prj_x'"],
    [[], { DATA_DIR, DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address'],
    [['--project', 'prj_nobody'], { DATA_DIR }, 'project'],
  ];
  for (const [args, env, sentence] of cases) {
    const ended = await runVerifier(args, env);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^Goodword cannot verify\.\n/);
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toContain('    at ');
  }
});

test('--help says what it does, and opens nothing', async () => {
  const { code, stdout } = await runVerifier(['--help'], { DATA_DIR: join(root, 'missing') });
  expect(code).toBe(0);
  expect(stdout).toContain('npm run verify -- [--project <id>] [--recount] [--providers] [--json]');
});
