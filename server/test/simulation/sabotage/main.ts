// Plants one defect after the other in the service, and plays worlds until one finds it. Usage: see ../README.md

import { buildPlayers, buildSoundPlayers, WORLDS } from '../runner/build-players.ts';
import { readWorlds, toFileName, writeWorld } from '../runner/kept-worlds.ts';
import { openPlayers, type Players } from '../runner/players.ts';
import { isAlike, shrinkWorld } from '../runner/shrink.ts';
import { generateWorld } from '../world/generate.ts';
import type { WorldSpec } from '../world/operations.ts';
import { DEFECTS, type Defect } from './defects.ts';
import { nameOracle } from './name-oracle.ts';
import { readOptions } from './options.ts';
import { plantDefect } from './plant-defect.ts';

const options = readOptions();
const HIDDEN_MAX = 1;
const say = (line: string) => process.stdout.write(`${line}\n`);

const kept = readWorlds(WORLDS);
/** Of the service as it is. */
const sound = await openPlayers(1, await buildSoundPlayers());

interface Found {
  readonly world: Named;
  /** How many worlds were played until it was found. */
  readonly played: number;
  readonly findings: readonly string[];
}

interface Named {
  readonly name: string;
  readonly spec: WorldSpec;
}

/** Worlds that are known to find it, and then those of new seeds. */
function* listWorlds({ name, hidden }: Defect): Generator<Named> {
  yield* kept.filter(({ finds }) => finds.includes(name));
  const { seed: first, operations } = options;
  // To show that it is hidden does not take many.
  const worlds = hidden ? Math.min(HIDDEN_MAX, options.worlds) : options.worlds;
  for (let seed = first; seed < first + worlds; seed += 1) {
    const name = `world ${seed} of ${operations} operations`;
    yield { name, spec: generateWorld(seed, operations) };
  }
}

async function find(defect: Defect, players: Players): Promise<Found | null> {
  let played = 0;
  for (const world of listWorlds(defect)) {
    played += 1;
    const { findings } = await players.play(world.spec);
    if (findings.length > 0 && (await isSound(world.spec))) return { world, played, findings };
  }
  return null;
}

/** What is wrong without the defect as well says nothing about it. */
const isSound = async (spec: WorldSpec) => (await sound.play(spec)).findings.length === 0;

/** Keeps the smallest world that finds it in the same way. */
async function keep(defect: Defect, { world, findings }: Found, players: Players): Promise<void> {
  const fails = async (candidate: WorldSpec) =>
    isAlike((await players.play(candidate)).findings, findings) && (await isSound(candidate));
  const { spec } = await shrinkWorld(world.spec, fails, options.shrinkTries);
  const { name } = defect;
  writeWorld(WORLDS, { name: toFileName(name), finds: [name], spec });
  say(`  kept with ${spec.operations.length} of ${world.spec.operations.length} operations`);
}

const asked = DEFECTS.filter(
  ({ name }) => options.names.length === 0 || options.names.some((part) => name.includes(part)),
);
const rows: string[] = [];
let missed = 0;

async function search(defect: Defect, build: string): Promise<void> {
  const { name, hidden } = defect;
  const players = await openPlayers(1, await buildPlayers(build, [plantDefect(defect)]));
  const found = await find(defect, players);
  if (!found && !hidden) missed += 1;
  say(`${found ? 'found' : 'MISSED'}: ${name}`);
  if (found) {
    const { world, played, findings } = found;
    say(`  by ${world.name}, the ${played}. that was played`);
    for (const one of findings.slice(0, 3)) say(`  ${one.slice(0, 200)}`);
    const oracles = [...new Set(findings.map(nameOracle))].join(', ');
    rows.push(`| ${name} | ${oracles} | ${world.name} |`);
    if (options.keeps) await keep(defect, found, players);
  } else rows.push(`| ${name} | not found${hidden ? `: ${hidden}` : ''} | |`);
  players.close();
}

const queue = [...asked];
const work = async (_: unknown, job: number) => {
  for (let defect = queue.shift(); defect; defect = queue.shift())
    await search(defect, `defect-${job}`);
};
await Promise.all(Array.from({ length: options.jobs }, work));

sound.close();
say('| Defect | Found by | World |');
say('| ------ | -------- | ----- |');
for (const row of rows) say(row);
say(`${asked.length - missed} of ${asked.length} as expected`);
process.exitCode = missed === 0 ? 0 : 1;
