// Plays worlds, one seed after the other. Usage: see README.md

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { generateWorld } from '../world/generate.ts';
import type { WorldSpec } from '../world/operations.ts';
import type { Reply } from './player.ts';
import { openPlayers } from './players.ts';

const { values: options } = parseArgs({
  options: {
    worlds: { type: 'string', default: '200' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    operations: { type: 'string', default: '80' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    twice: { type: 'boolean', default: false },
    trace: { type: 'string' },
    world: { type: 'string', multiple: true, default: [] },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const startedMs = performance.now();
const elapsedMs = () => performance.now() - startedMs;

interface Outcome {
  readonly name: string;
  readonly reply: Reply;
  readonly findings: readonly string[];
}

const players = await openPlayers(Number(options.jobs));
const outcomes: Outcome[] = [];

async function play(name: string, spec: WorldSpec): Promise<void> {
  const { trace } = options;
  const reply = await players.play(spec, trace === undefined ? {} : { trace });
  const findings = [...reply.findings];
  if (options.twice) {
    const again = await players.play(spec, trace === undefined ? {} : { trace: `${trace}.2` });
    if (again.digest !== reply.digest)
      findings.push('two runs differ: compare what --trace FILE writes to FILE and FILE.2');
  }
  outcomes.push({ name, reply, findings });
  if (findings.length === 0) return;
  say(`${name}: ${findings.length} findings`);
  for (const one of findings.slice(0, 6)) say(`  ${one}`);
}

const first = Number(options.seed);
const budgetMs =
  options.seconds === undefined ? Number.POSITIVE_INFINITY : Number(options.seconds) * 1_000;
let next = first;
async function playSeeds(): Promise<void> {
  while (next < first + Number(options.worlds) && elapsedMs() < budgetMs) {
    const seed = next;
    next += 1;
    await play(`world ${seed}`, generateWorld(seed, Number(options.operations)));
  }
}

if (options.world.length > 0) {
  await Promise.all(
    options.world.map((file) => play(file, JSON.parse(readFileSync(file, 'utf8')))),
  );
} else {
  await Promise.all(Array.from({ length: Number(options.jobs) }, playSeeds));
}
players.close();

const digest = createHash('sha256');
const seen = new Map<string, number>();
for (const { reply } of outcomes.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
  digest.update(reply.digest);
  for (const [name, count] of reply.seen) seen.set(name, (seen.get(name) ?? 0) + count);
}
say(`digest ${digest.digest('hex')}`);
say([...seen].map(([name, count]) => `${name}: ${count}`).join(', '));
const failed = outcomes.filter(({ findings }) => findings.length > 0).length;
const cpuMs = outcomes.reduce((sum, { reply }) => sum + reply.cpuMs, 0);
say(
  `${outcomes.length - failed} worlds passed, ${failed} failed, ${(elapsedMs() / 1_000).toFixed(1)} s, ${(cpuMs / Math.max(1, outcomes.length)).toFixed(0)} ms of a processor each`,
);
process.exitCode = failed === 0 ? 0 : 1;
