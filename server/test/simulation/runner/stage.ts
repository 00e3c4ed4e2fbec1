import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createDatabase } from '../../../src/platform/db/database.ts';
import { EmbeddedDriver } from '../../../src/platform/db/embedded/embedded-driver.ts';
import { Mutex } from '../../../src/platform/db/embedded/mutex.ts';
import { valueParsers } from '../../../src/platform/db/engine-common.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { keepEmbeddedTemplate } from '../../embedded-template.ts';
import { makeRandom } from '../../random.ts';
import { playUnder } from '../authority/current.ts';
import { VirtualTime } from '../authority/virtual-time.ts';
import { LineMutex } from '../outside/line-mutex.ts';
import { generateWorld } from '../world/generate.ts';
import type { WorldSpec } from '../world/operations.ts';
import { runWorld, type WorldResult } from '../world/run-world.ts';
import { EngineImage } from './engine-image.ts';
import {
  PlannedStatements,
  StatementLog,
  type UsedStatement,
  type WorldStatements,
} from './planned-statements.ts';

const START_MS = Date.parse('2026-11-15T09:30:00.000Z');

/** What one run of a world says of itself: the same for every run of it. */
export interface Played extends WorldResult {
  readonly digest: string;
}

export interface Stage {
  /** `record` is given a note of everything that happens. */
  play(spec: WorldSpec, record?: (note: string) => void): Promise<Played>;
}

/** A world needs little memory, and the same plans whatever the worlds before it have run. */
const ENGINE_SETTINGS = [
  'TimeZone=UTC',
  'shared_buffers=16MB',
  'plan_cache_mode=force_generic_plan',
];

/** Beside the builds: a defect changes few statements. */
const STATEMENTS_FILE = join(import.meta.dirname, '../statements.json');

/** Between them they have most of what worlds can have. */
const REHEARSED = [189, 97, 169];
const REHEARSED_OPERATIONS = 30;

/** One embedded engine, on which worlds are played one after the other, each from the same empty store. */
export async function openStage(): Promise<Stage> {
  const engine = await PGlite.create({
    loadDataDir: new Blob([readFileSync(await keepEmbeddedTemplate())]),
    parsers: Object.fromEntries(valueParsers),
    startParams: [
      ...PGlite.defaultStartParams,
      ...ENGINE_SETTINGS.flatMap((setting) => ['-c', setting]),
    ],
  });
  // Nothing is left to do, unless a planted defect adds something.
  await migrate(createDatabase(new EmbeddedDriver(engine, new Mutex(), async () => undefined)));
  // A library stays loaded, so it must be part of the image.
  await engine.exec("load 'plpgsql'; deallocate all; checkpoint");
  const planned = new PlannedStatements();
  await planned.plan(engine, await recall(engine));
  const image = new EngineImage(engine);
  return {
    async play(spec, record) {
      image.restore();
      return await playOn(lend(engine, planned.forWorld()), spec, record);
    },
  };
}

/** What worlds run: the first player of a build finds it out. */
async function recall(engine: PGlite): Promise<readonly UsedStatement[]> {
  if (existsSync(STATEMENTS_FILE)) return JSON.parse(readFileSync(STATEMENTS_FILE, 'utf8'));
  const used = await rehearse(engine);
  // Another command may read it meanwhile.
  const unfinished = `${STATEMENTS_FILE}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(used));
  renameSync(unfinished, STATEMENTS_FILE);
  return used;
}

/** Plays worlds that use much of the service. What they find does not matter: they are not the worlds that are asked for. */
async function rehearse(engine: PGlite): Promise<readonly UsedStatement[]> {
  const image = new EngineImage(engine);
  const log = new StatementLog();
  const none = new PlannedStatements().forWorld();
  for (const seed of REHEARSED) {
    await playOn(lend(engine, none, log), generateWorld(seed, REHEARSED_OPERATIONS));
    image.restore();
  }
  return log.used;
}

async function playOn(
  lent: LentEngine,
  spec: WorldSpec,
  record?: (note: string) => void,
): Promise<Played> {
  const { seed } = spec;
  const time = new VirtualTime(START_MS, makeRandom(seed ^ 0x7ab1e), record);
  try {
    const result = await playUnder({ time, random: makeRandom(seed) }, async () => {
      const world = runWorld(spec, { time, engine: lent.engine, mutex: new LineMutex() });
      await time.runUntil(world);
      return await world;
    });
    return { ...result, digest: time.digest };
  } catch (error) {
    const findings = [`it broke: ${(error as Error).stack}`];
    return { findings, seen: new Map(), digest: time.digest };
  } finally {
    lent.takeBack();
  }
}

interface LentEngine {
  readonly engine: PGlite;
  takeBack(): void;
}

/**
 * The engine for one world: a driver keeps its prepared statements by engine. What a world leaves behind when it ends waits
 * for ever.
 */
function lend(engine: PGlite, statements: WorldStatements, log?: StatementLog): LentEngine {
  let isLent = true;
  const { parsers } = engine;
  const execProtocolRawStream: PGlite['execProtocolRawStream'] = (message, options) => {
    if (!isLent) return new Promise(() => undefined);
    log?.note(message);
    const { request, response } = statements.translate(message);
    if (response) options?.onRawData(response);
    return engine.execProtocolRawStream(request, options);
  };
  return {
    engine: { parsers, execProtocolRawStream } as PGlite,
    takeBack: () => {
      isLent = false;
    },
  };
}
