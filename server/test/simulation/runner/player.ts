// A process that plays the worlds which its parent sends, one after the other.

import { closeSync, openSync, writeSync } from 'node:fs';
import type { WorldSpec } from '../world/operations.ts';
import { openStage, type Played } from './stage.ts';

export interface Request {
  readonly spec: WorldSpec;
  /** The file that gets a note of everything that happens. */
  readonly trace: string | null;
}

/** What a process can send another. */
export interface Reply extends Omit<Played, 'seen'> {
  readonly seen: readonly (readonly [string, number])[];
  readonly cpuMs: number;
}

/** A map does not survive the way between processes. */
const toReply = ({ seen, ...played }: Played, cpuMs: number): Reply => ({
  ...played,
  seen: [...seen],
  cpuMs,
});

const stage = await openStage();
process.on('message', async ({ spec, trace }: Request) => {
  const file = trace === null ? null : openSync(trace, 'w');
  const record = file === null ? undefined : (note: string) => void writeSync(file, note);
  const before = process.cpuUsage();
  const played = await stage.play(spec, record);
  const { user, system } = process.cpuUsage(before);
  if (file !== null) closeSync(file);
  process.send?.(toReply(played, (user + system) / 1_000));
});
// A terminal interrupts all processes of a run. This one ends with the run.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.send?.('ready');
