// Runs one part of the built embedded database in a process of its own, for tests that
// kill it or break its disk. Usage: node embedded.ts <part> <folder> [platform]
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { lockFolder } from '../../src/platform/db/embedded/folder-lock.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';

const [part, folder, platform] = process.argv.slice(2) as [
  keyof typeof parts,
  string,
  NodeJS.Platform?,
];
// Synchronous, so that a line the parent has read was true before the next statement.
const say = (line: unknown) => fs.writeSync(1, `${line}\n`);

/** Replaces a function of node:fs for everybody in this process. */
// biome-ignore lint/suspicious/noExplicitAny: functions of every shape
function replace(operation: keyof typeof fs, make: (original: any) => unknown): void {
  Object.assign(fs, { [operation]: make(fs[operation]) });
  syncBuiltinESMExports();
}

const fail = (code: string): never => {
  throw Object.assign(new Error(`${code}: broken by the test`), { code });
};

const parts = {
  async lock() {
    await lockFolder(folder, platform);
    say('locked');
    setInterval(() => {}, 1000);
  },
  /** Inserts 1, 2, 3 … until killed, and says each number once its commit was answered. */
  async commits() {
    const driver = await openEmbedded(folder);
    await driver.query('create table if not exists numbers (n bigint primary key)');
    const [{ last } = { last: 0n }] = await driver.query<{ last: bigint }>(
      'select coalesce(max(n), 0) as last from numbers',
    );
    for (let n = last + 1n; ; n += 1n) {
      await driver.query('insert into numbers values ($1)', [n]);
      say(n);
    }
  },
  /** Kills itself half-way through the creation of the store. */
  async 'killed-creation'() {
    replace('openSync', (openSync) => (path: unknown, ...rest: unknown[]) => {
      if (String(path).includes('pg_control')) process.kill(process.pid, 'SIGKILL');
      return openSync(path, ...rest);
    });
    await openEmbedded(folder);
  },
  async 'failing-fsync'() {
    const driver = await openEmbedded(folder);
    replace('fdatasyncSync', () => () => fail('EIO'));
    await driver.query('create table lost (n int)');
    say('acknowledged');
  },
  async 'full-disk'() {
    const driver = await openEmbedded(folder);
    replace(
      'writeSync',
      (writeSync) =>
        (fd: number, ...rest: unknown[]) =>
          fd > 2 ? fail('ENOSPC') : writeSync(fd, ...rest),
    );
    // Writes WAL and nothing else: a data file that cannot grow is an ordinary error.
    await driver.query(`select pg_logical_emit_message(true, 'test', 'lost')`);
    say('acknowledged');
  },
};

await parts[part]();
