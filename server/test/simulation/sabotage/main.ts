// Plants one defect after the other in the service, and plays worlds until one finds it. Usage: see ../README.md

import { buildPlayers } from '../runner/build-players.ts';
import { KEPT_WORLDS } from '../runner/kept-worlds.ts';
import { openPlayers } from '../runner/players.ts';
import { generateWorld } from '../world/generate.ts';
import { DEFECTS, type Defect } from './defects.ts';
import { nameOracle } from './name-oracle.ts';
import { readOptions } from './options.ts';
import { plantDefect } from './plant-defect.ts';

const options = readOptions();
const HIDDEN_MAX = 1;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Of the service as it is. */
const sound = await openPlayers(1, await buildPlayers('players'));

interface Found {
  readonly seed: number;
  readonly operations: number;
  /** How many worlds were played until it was found. */
  readonly played: number;
  readonly findings: readonly string[];
}

/** Worlds that are known to find it, and then those of new seeds. */
function* listWorlds({ name, hidden }: Defect) {
  yield* KEPT_WORLDS.filter(({ finds }) => finds.includes(name));
  const { seed: first, operations } = options;
  // To show that it is hidden does not take many.
  const worlds = hidden ? Math.min(HIDDEN_MAX, options.worlds) : options.worlds;
  for (let seed = first; seed < first + worlds; seed += 1) yield { seed, operations };
}

async function find(defect: Defect, build: string): Promise<Found | null> {
  const folder = await buildPlayers(build, [plantDefect(defect)]);
  const players = await openPlayers(1, folder);
  let played = 0;
  for (const { seed, operations } of listWorlds(defect)) {
    played += 1;
    const spec = generateWorld(seed, operations);
    const { findings } = await players.play(spec);
    // What is wrong without the defect as well says nothing about it.
    if (findings.length > 0 && (await sound.play(spec)).findings.length === 0)
      return { seed, operations, played, findings };
  }
  return null;
}

const asked = DEFECTS.filter(
  ({ name }) => options.names.length === 0 || options.names.some((part) => name.includes(part)),
);
const rows: string[] = [];
let missed = 0;

async function search(defect: Defect, build: string): Promise<void> {
  const { name, hidden } = defect;
  const found = await find(defect, build);
  if (!found && !hidden) missed += 1;
  const oracles = [...new Set(found?.findings.map(nameOracle))].join(', ');
  say(`${found ? 'found' : 'MISSED'}: ${name}`);
  if (found) {
    const { seed, operations, played } = found;
    say(`  by world ${seed} of ${operations} operations, the ${played}. that was played`);
    const kept = KEPT_WORLDS.filter(({ finds }) => finds.includes(name));
    if (kept.length > 0 && kept.every((one) => one.seed !== seed))
      say('  its kept world does not find it any more');
    for (const one of found.findings.slice(0, 3)) say(`  ${one.slice(0, 200)}`);
    rows.push(`| ${name} | ${oracles} | ${played} |`);
  } else rows.push(`| ${name} | not found${hidden ? `: ${hidden}` : ''} | |`);
}

const queue = [...asked];
const work = async (_: unknown, job: number) => {
  for (let defect = queue.shift(); defect; defect = queue.shift())
    await search(defect, `defect-${job}`);
};
await Promise.all(Array.from({ length: options.jobs }, work));

say('| Defect | Found by | Worlds |');
say('| ------ | -------- | ------ |');
for (const row of rows) say(row);
say(`${asked.length - missed} of ${asked.length} as expected`);
process.exitCode = missed === 0 ? 0 : 1;
