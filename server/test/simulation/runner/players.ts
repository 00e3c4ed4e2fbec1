import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { keepEmbeddedTemplate } from '../../embedded-template.ts';
import type { WorldSpec } from '../world/operations.ts';
import type { Reply, Request } from './player.ts';

/** More than any world needs on the busiest machine. One whose time goes on for ever ends by itself: `virtual-time.ts`. */
const PATIENCE_MS = 600_000;

/** A process keeps very little of each world that it has played. */
const WORLDS_OF_A_PROCESS = 1_000;

interface PlayOptions {
  readonly trace?: string | undefined;
  /** In a process that has played no other world. */
  readonly isFresh?: boolean;
}

export interface Players {
  /** Waits until a player is free. */
  play(spec: WorldSpec, options?: PlayOptions): Promise<Reply>;
  close(): void;
}

interface Player {
  readonly process: ChildProcess;
  played: number;
}

/** Plays so many worlds at a time, on a build of `buildPlayers`. */
export async function openPlayers(count: number, folder: string): Promise<Players> {
  // Before several players would make it at the same time.
  await keepEmbeddedTemplate();
  // It finds out what the others need to know of this build.
  const idle: Player[] = [{ process: await startPlayer(folder), played: 0 }];
  const waiting: (() => void)[] = [];
  let free = count;
  const take = async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const give = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async play(spec, { trace, isFresh = false } = {}) {
      await take();
      try {
        const player = (!isFresh && idle.pop()) || {
          process: await startPlayer(folder),
          played: 0,
        };
        const reply = await ask(player.process, { spec, trace: trace ?? null });
        player.played += 1;
        // What a world with a finding leaves behind is not to be trusted.
        const isDone = isFresh || reply.findings.length > 0 || player.played >= WORLDS_OF_A_PROCESS;
        if (!isDone) idle.push(player);
        else if (player.process.connected) player.process.disconnect();
        return reply;
      } finally {
        give();
      }
    },
    close() {
      for (const { process } of idle.splice(0)) process.disconnect();
    },
  };
}

async function startPlayer(folder: string): Promise<ChildProcess> {
  const preload = join(folder, 'preload.js');
  const player = fork(join(folder, 'player.js'), {
    // More room for short-lived objects: they are most of what a world makes.
    execArgv: ['--enable-source-maps', '--max-semi-space-size=64', '--import', preload],
  });
  await Promise.race([
    once(player, 'message'),
    once(player, 'exit').then(() => {
      throw new Error('A player ended before it began.');
    }),
  ]);
  return player;
}

/** A player that ends or hangs has failed its world, and is of no more use. */
function ask(player: ChildProcess, request: Request): Promise<Reply> {
  return new Promise((resolve) => {
    const fail = (finding: string) => {
      clearTimeout(patience);
      player.removeAllListeners();
      player.kill('SIGKILL');
      if (player.connected) player.disconnect();
      resolve({ findings: [finding], seen: [], digest: '', cpuMs: 0 });
    };
    const patience = setTimeout(() => fail('it hangs'), PATIENCE_MS);
    player.once('exit', (code, signal) => fail(`its process ended: ${signal ?? code}`));
    player.once('message', (reply: Reply) => {
      clearTimeout(patience);
      player.removeAllListeners('exit');
      resolve(reply);
    });
    player.send(request);
  });
}
