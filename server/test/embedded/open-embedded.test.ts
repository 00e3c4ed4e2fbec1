import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Driver } from '../../src/platform/db/driver.ts';
import { DurableFs } from '../../src/platform/db/embedded/durable-fs.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { checkDurable } from '../../src/platform/db/embedded/store.ts';
import { childProgram } from '../process.ts';

const CHILD = childProgram('embedded');
const SLOW = 60_000;

const root = mkdtempSync(join(tmpdir(), 'goodword-embedded-'));
const fresh = join(root, 'new', 'fresh');

beforeAll(async () => {
  await (await openEmbedded(fresh)).close();
}, SLOW);
afterAll(() => rmSync(root, { recursive: true }));

function copyOfFresh(name: string): string {
  const folder = join(root, name);
  cpSync(fresh, folder, { recursive: true });
  return folder;
}

function runChild(part: string, folder: string) {
  const child = spawn(process.execPath, [CHILD, part, folder], { stdio: 'pipe' });
  const output = { said: '', complained: '' };
  child.stdout.on('data', (text) => {
    output.said += text;
  });
  child.stderr.on('data', (text) => {
    output.complained += text;
  });
  return { child, output, ended: once(child, 'close') };
}

describe('a new store', () => {
  it('is private to its owner and leaves nothing else behind', () => {
    expect(statSync(fresh).mode & 0o777).toBe(0o700);
    expect(readdirSync(fresh)).toEqual(['postgres']);
    expect(statSync(join(fresh, 'postgres')).mode & 0o777).toBe(0o700);
  });

  it(
    'is made anew, and runs in UTC, when the first start was killed in the middle of it',
    async () => {
      const folder = join(root, 'killed-creation');
      const { ended } = runChild('killed-creation', folder);
      expect(await ended).toEqual([null, 'SIGKILL']);
      expect(readdirSync(folder)).toEqual(['postgres.creating']);

      const driver = await openEmbedded(folder);
      expect(await driver.query('show timezone')).toEqual([{ TimeZone: 'UTC' }]);
      await driver.close();
      expect(readdirSync(folder)).toEqual(['postgres']);
    },
    SLOW,
  );
});

describe('syncs', () => {
  const events: string[] = [];
  let driver: Driver;

  beforeAll(async () => {
    driver = await openEmbedded(copyOfFresh('syncs'), {
      onSync: ({ kind, path }) => events.push(kind === 'wal' ? 'wal' : `${kind} ${path}`),
    });
    await driver.query('create table t (n int)');
  }, SLOW);
  afterAll(() => driver.close());

  it('put the WAL on disk between every write and its answer', async () => {
    events.length = 0;
    for (let n = 0; n < 20; n += 1) {
      events.push('sent');
      await driver.query('insert into t values ($1)', [n]);
      events.push('answered');
    }
    expect(events).toEqual(Array.from({ length: 20 }, () => ['sent', 'wal', 'answered']).flat());
  });

  it('put the WAL on disk once, at the commit of a transaction', async () => {
    events.length = 0;
    const session = driver.begin();
    await session.query('insert into t values (1)');
    await session.query('insert into t values (2)');
    events.push('commit sent');
    await session.commit();
    events.push('answered');
    expect(events).toEqual(['commit sent', 'wal', 'answered']);
  });

  it('put the data files on disk before a checkpoint is recorded', async () => {
    const [row] = await driver.query<{ path: string }>(`select pg_relation_filepath('t') as path`);
    events.length = 0;
    await driver.query('checkpoint');

    expect(events.at(-1)).toBe('data global/pg_control');
    expect(events).toContain(`data ${row?.path}`);
    expect(events.lastIndexOf('wal')).toBeGreaterThan(events.indexOf(`data ${row?.path}`));
    expect(events.filter((event) => event === 'data global/pg_control')).toHaveLength(1);
  });

  it('put the name of a new WAL segment on disk before a commit in it is answered', async () => {
    await driver.query('select pg_switch_wal()');
    events.length = 0;
    await driver.query('insert into t values (0)');
    expect(events.indexOf('directory pg_wal')).toBeGreaterThanOrEqual(0);
    expect(events.lastIndexOf('wal')).toBeGreaterThan(events.indexOf('directory pg_wal'));
  });
});

describe('opening', () => {
  it(
    'is refused by the self-test when the engine does not sync',
    async () => {
      const fs = new DurableFs(join(copyOfFresh('no-sync'), 'postgres'), () => {
        throw new Error('not expected');
      });
      const pg = await PGlite.create({ fs, startParams: PGlite.defaultStartParams });
      await expect(checkDurable({ pg, fs })).rejects.toThrow(
        'The embedded database does not sync its commits to disk',
      );
      await pg.close();
    },
    SLOW,
  );

  it(
    'is refused while another driver has the folder, and possible after its close',
    async () => {
      const folder = copyOfFresh('twice');
      const first = await openEmbedded(folder);
      await expect(openEmbedded(folder)).rejects.toThrow('already using the data folder');
      const late = first.query('select 1 as one');
      const closed = first.close();
      await expect(first.query('select 1')).rejects.toThrow('closed');
      expect(await late).toEqual([{ one: 1 }]);
      await closed;
      await (await openEmbedded(folder)).close();
    },
    SLOW,
  );

  it(
    'says what is wrong with a store it cannot read, and frees the folder',
    async () => {
      const folder = copyOfFresh('unreadable');
      writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '12\n');
      const outcome = () => openEmbedded(folder).then(undefined, (error) => error.message);
      const message = await outcome();
      expect(message).toContain(`The database in ${join(folder, 'postgres')} cannot be opened: `);
      expect(message).toContain('incompatible');
      expect(await outcome()).toBe(message);
    },
    SLOW,
  );
});

describe('the end of the process', () => {
  it(
    'by SIGKILL loses no acknowledged commit',
    async () => {
      const folder = copyOfFresh('killed');
      let acknowledged = 0;
      for (let round = 1; round <= 3; round += 1) {
        const { child, ended } = runChild('commits', folder);
        const enough = acknowledged + 25 * round;
        for await (const line of createInterface(child.stdout)) {
          acknowledged = Number(line);
          if (acknowledged === enough) child.kill('SIGKILL');
        }
        await ended;
      }
      const driver = await openEmbedded(folder);
      const [row] = await driver.query<{ count: bigint; last: bigint }>(
        'select count(*) as count, max(n) as last from numbers',
      );
      await driver.close();
      expect(Number(row?.count)).toBeGreaterThanOrEqual(acknowledged);
      expect(row?.count).toBe(row?.last);
    },
    SLOW,
  );

  it.each([
    ['failing-fsync', /^Goodword stops: Could not sync pg_wal\/[0-9A-F]{24} to disk: EIO.*\n$/],
    [
      'full-disk',
      /^Goodword stops: The embedded database has stopped\. .*No space left on device\.\n$/,
    ],
  ])(
    'comes at once, before an answer, on a %s',
    async (part, complaint) => {
      const folder = copyOfFresh(part);
      const { ended, output } = runChild(part, folder);
      expect(await ended).toEqual([70, null]);
      expect(output.said).toBe('');
      expect(output.complained).toMatch(complaint);

      const driver = await openEmbedded(folder);
      expect(await driver.query('select 1 as one')).toEqual([{ one: 1 }]);
      await driver.close();
      expect(existsSync(join(folder, 'postgres.creating'))).toBe(false);
    },
    SLOW,
  );
});
