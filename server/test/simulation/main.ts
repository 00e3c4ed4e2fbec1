// Plays worlds, one seed after the other. Usage: simulate [--worlds 200] [--seed 1] [--operations 200]

import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { createDatabase } from '../../src/platform/db/database.ts';
import { EmbeddedDriver } from '../../src/platform/db/embedded/embedded-driver.ts';
import { Mutex } from '../../src/platform/db/embedded/mutex.ts';
import { valueParsers } from '../../src/platform/db/engine-common.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { makeRandom } from '../random.ts';
import { install as installCrypto } from './authority/seeded-crypto.ts';
import { install as installTime, VirtualTime } from './authority/virtual-time.ts';
import { generateWorld } from './world/generate.ts';
import { runWorld, type WorldResult } from './world/run-world.ts';

const { values: options } = parseArgs({
  options: {
    worlds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    operations: { type: 'string', default: '200' },
  },
});
const PROGRESS = 20;
const START_MS = Date.parse('2026-11-15T09:30:00.000Z');
const realNow = performance.now.bind(performance);
const say = (line: string) => process.stdout.write(`${line}\n`);

const engine = await PGlite.create({ parsers: Object.fromEntries(valueParsers) });
await engine.exec(`set timezone to 'UTC'`);
const mutex = new Mutex();
await migrate(createDatabase(new EmbeddedDriver(engine, mutex, async () => undefined)));

const tables = await engine.query<{ name: string }>(
  `select tablename as name from pg_tables where schemaname = 'public'
     and tablename not in ('schema_migrations', 'console_setup')`,
);
const EMPTY = `truncate ${tables.rows.map(({ name }) => name).join(', ')} cascade`;

let time = new VirtualTime(START_MS, makeRandom(0));
let random = makeRandom(0);
installTime(() => time);
installCrypto(() => random);

const first = Number(options.seed);
const worlds = Number(options.worlds);
const started = realNow();
const seen = new Map<string, number>();
let failed = 0;
const digest = createHash('sha256');

/** Plays the world of a seed from an empty store. */
async function play(seed: number, operations: number): Promise<WorldResult> {
  random = makeRandom(seed);
  time = new VirtualTime(START_MS, makeRandom(seed ^ 0x7ab1e));
  await engine.exec(EMPTY);
  let result: WorldResult | undefined;
  const world = runWorld(generateWorld(seed, operations), { time, engine, mutex });
  await time.runUntil(
    world.then((done) => {
      result = done;
    }),
  );
  if (!result) throw new Error('It has no result.');
  return result;
}

// Loads what the service imports when it first needs it: real files take real time.
await play(0, 40).catch(() => undefined);
for (let seed = first; seed < first + worlds; seed += 1) {
  let findings: readonly string[];
  try {
    const result = await play(seed, Number(options.operations));
    findings = result.findings;
    digest.update(result.digest);
    for (const [name, count] of result.seen) seen.set(name, (seen.get(name) ?? 0) + count);
  } catch (error) {
    findings = [`it broke: ${(error as Error).stack}`];
  }
  if (seed % PROGRESS === 0)
    process.stderr.write(`${seed - first + 1} of ${worlds} worlds, ${failed} failed\r`);
  if (findings.length > 0) {
    failed += 1;
    say(`world ${seed}: ${findings.length} findings`);
    for (const one of findings.slice(0, 6)) say(`  ${one}`);
  }
}
say(`digest ${digest.digest('hex')}`);
const seconds = (realNow() - started) / 1_000;
say([...seen].map(([name, count]) => `${name}: ${count}`).join(', '));
say(`${worlds - failed} worlds passed, ${failed} failed, ${seconds.toFixed(1)} s`);
process.exit(failed === 0 ? 0 : 1);
