// Plays worlds and says what is wrong with them. Usage: see README.md

import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { generateWorld } from '../world/generate.ts';
import type { WorldSpec } from '../world/operations.ts';
import { buildSoundPlayers, WORLDS } from './build-players.ts';
import { listUnseen, OPERATIONS_MIN } from './coverage.ts';
import { readWorld, readWorlds, toFileName, writeWorld } from './kept-worlds.ts';
import { readOptions } from './options.ts';
import type { Reply } from './player.ts';
import { openPlayers } from './players.ts';
import { Progress } from './progress.ts';
import { type Checked, writeReport } from './report.ts';
import { isAlike, shrinkWorld } from './shrink.ts';

const options = readOptions();
const SHOWN_MAX = 6;
/** Of a run with many failures, the first are enough to begin with. */
const SHRUNK_MAX = 2;
/** Below the server, where start.mjs puts this program. */
const OUTPUT = join(import.meta.dirname, '../../../test-output/simulation');

const say = (line: string) => process.stdout.write(`${line}\n`);
const startedMs = performance.now();
const elapsedSeconds = () => (performance.now() - startedMs) / 1_000;

interface Named {
  readonly name: string;
  readonly spec: WorldSpec;
}

interface Outcome extends Checked {
  readonly digest: string;
}

const players = await openPlayers(options.jobs, await buildSoundPlayers());
const outcomes: Outcome[] = [];
/** How often was answered what, in all worlds. */
const seen = new Map<string, number>();
let interruptedMs: number | null = null;
let played = 0;
let operations = 0;
let shrunk = 0;

async function play({ name, spec }: Named): Promise<void> {
  const { trace, twiceEvery } = options;
  const reply = await players.play(spec, { trace });
  const findings = [...reply.findings];
  played += 1;
  if (twiceEvery > 0 && played % twiceEvery === 0) {
    const again = await players.play(spec, { trace: trace && `${trace}.2`, isFresh: true });
    if (again.digest !== reply.digest) findings.push('two runs of it differ');
  }
  outcomes.push({ name, digest: reply.digest, findings, cpuMs: reply.cpuMs });
  for (const [what, count] of reply.seen) seen.set(what, (seen.get(what) ?? 0) + count);
  operations += spec.operations.length;
  progress.add(findings.length > 0);
  if (findings.length === 0) return;
  progress.clear();
  say(`${name}: ${findings.length} findings`);
  for (const one of findings.slice(0, SHOWN_MAX)) say(`  ${one}`);
  if (reply.findings.length > 0) await shrink(name, spec, reply);
}

/** Looks for the smallest world that fails in the same way, and says how to play it. */
async function shrink(name: string, spec: WorldSpec, reply: Reply): Promise<void> {
  shrunk += 1;
  if (interruptedMs !== null || options.shrinkTries === 0 || shrunk > SHRUNK_MAX) return;
  const fails = async (candidate: WorldSpec) =>
    isAlike((await players.play(candidate)).findings, reply.findings);
  const smallest = await shrinkWorld(spec, fails, options.shrinkTries);
  const file = writeWorld(OUTPUT, { name: toFileName(name), finds: [], spec: smallest.spec });
  const { length } = smallest.spec.operations;
  say(`  ${length} of ${spec.operations.length} operations are enough. To play them:`);
  say(`  npm run simulate -- --world ${relative(process.cwd(), file)}`);
}

const kept = [...options.files.map(readWorld), ...(options.playsKept ? readWorlds(WORLDS) : [])];
const generated = options.files.length > 0 ? 0 : options.worlds;
const progress = new Progress(kept.length + generated, options.seconds, process.stderr);

function* listWorlds(): Generator<Named> {
  yield* kept;
  for (let seed = options.seed; seed < options.seed + generated; seed += 1) {
    const spec = generateWorld(seed, options.operations);
    yield { name: `world ${seed} of ${spec.operations.length} operations`, spec };
  }
}

process.on('SIGINT', () => {
  // A terminal sends it to every process of a command, and some pass it on.
  if (interruptedMs !== null && performance.now() < interruptedMs + 1_000) return;
  if (interruptedMs !== null) process.exit(1);
  interruptedMs = performance.now();
  progress.clear();
  say('No further world begins. What was played so far follows; once more to end at once.');
});

const waiting = listWorlds();
async function playNext(): Promise<void> {
  while (interruptedMs === null && elapsedSeconds() < options.seconds) {
    const { value: next } = waiting.next();
    if (!next) return;
    await play(next);
  }
}

await Promise.all(Array.from({ length: options.jobs }, playNext));

players.close();
progress.clear();

const digest = createHash('sha256');
for (const one of outcomes.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  digest.update(one.digest);
const unseen = listUnseen({ operations, seen });
const coverage = unseen.map((name) => `no world has reached: ${name}`);
const checked = [...outcomes, { name: 'coverage', findings: coverage, cpuMs: 0 }];
if (process.env.TEST_REPORT) writeReport(process.env.TEST_REPORT, checked);

const failed = outcomes.filter(({ findings }) => findings.length > 0).length;
const cpuMs = outcomes.reduce((sum, one) => sum + one.cpuMs, 0) / Math.max(1, outcomes.length);
say([...seen].map(([name, count]) => `${name}: ${count}`).join(', '));
for (const one of coverage) say(one);
if (operations < OPERATIONS_MIN)
  say(
    `${operations} operations: too few to ask whether worlds have reached everything they should`,
  );
say(`digest ${digest.digest('hex')}, ${cpuMs.toFixed(0)} ms of a processor for each world`);
say(
  `${outcomes.length - failed} worlds passed, ${failed} failed, ${elapsedSeconds().toFixed(1)} s`,
);
process.exitCode = failed + coverage.length === 0 ? 0 : 1;
