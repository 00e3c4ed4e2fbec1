import { PGlite } from '@electric-sql/pglite';
import { createDatabase } from '../../../src/platform/db/database.ts';
import { EmbeddedDriver } from '../../../src/platform/db/embedded/embedded-driver.ts';
import { Mutex } from '../../../src/platform/db/embedded/mutex.ts';
import { valueParsers } from '../../../src/platform/db/engine-common.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { makeRandom } from '../../random.ts';
import { setAuthority } from '../authority/current.ts';
import { VirtualTime } from '../authority/virtual-time.ts';
import { LineMutex } from '../outside/line-mutex.ts';
import type { WorldSpec } from '../world/operations.ts';
import { runWorld, type WorldResult } from '../world/run-world.ts';

const START_MS = Date.parse('2026-11-15T09:30:00.000Z');

/** What one run of a world says of itself: the same for every run of it. */
export interface Played extends WorldResult {
  readonly digest: string;
}

export interface Stage {
  /** `record` is given a note of everything that happens. */
  play(spec: WorldSpec, record?: (note: string) => void): Promise<Played>;
}

/** One embedded engine, on which worlds are played one after the other, each from an empty store. */
export async function openStage(): Promise<Stage> {
  const engine = await PGlite.create({ parsers: Object.fromEntries(valueParsers) });
  await engine.exec(`set timezone to 'UTC'`);
  await migrate(createDatabase(new EmbeddedDriver(engine, new Mutex(), async () => undefined)));
  const kept = `'schema_migrations', 'console_setup'`;

  async function empty(): Promise<void> {
    const { rows } = await engine.query<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and c.relname not in (${kept}) and pg_relation_size(c.oid) > 0
       order by c.relname`,
    );
    const names = rows.map(({ name }) => name).join(', ');
    // A world that broke may have left a transaction.
    await engine.exec('rollback; deallocate all');
    if (names !== '') await engine.exec(`truncate ${names} restart identity cascade`);
  }

  return {
    async play(spec, record) {
      await empty();
      const { seed } = spec;
      const time = new VirtualTime(START_MS, makeRandom(seed ^ 0x7ab1e), record);
      setAuthority({ time, random: makeRandom(seed) });
      try {
        // A driver keeps its prepared statements by engine: another world has its own.
        const own = borrow(engine);
        let result: WorldResult | undefined;
        const world = runWorld(spec, { time, engine: own, mutex: new LineMutex() });
        await time.runUntil(
          world.then((done) => {
            result = done;
          }),
        );
        if (!result) throw new Error('It has no result.');
        return { ...result, digest: time.digest };
      } catch (error) {
        const findings = [`it broke: ${(error as Error).stack}`];
        return { findings, seen: new Map(), digest: time.digest };
      } finally {
        setAuthority(null);
      }
    },
  };
}

/** The same engine for who tells engines apart. */
function borrow(engine: PGlite): PGlite {
  const { parsers } = engine;
  const execProtocolRawStream: PGlite['execProtocolRawStream'] = (message, options) =>
    engine.execProtocolRawStream(message, options);
  return { parsers, execProtocolRawStream } as PGlite;
}
