import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { keepEmbeddedTemplate } from '../../embedded-template.ts';
import type { WorldSpec } from '../world/operations.ts';
import type { Reply, Request } from './player.ts';

/** More than any world needs on the busiest machine. One whose time goes on for ever ends by itself: `virtual-time.ts`. */
const PATIENCE_MS = 3_600_000;

export interface Players {
  /** Waits until a player is free. */
  play(spec: WorldSpec, options?: { readonly trace?: string | undefined }): Promise<Reply>;
  close(): void;
}

/** So many processes that play worlds, of a build of `buildPlayers`. */
export async function openPlayers(count: number, folder: string): Promise<Players> {
  // Before several players would make it at the same time.
  await keepEmbeddedTemplate();
  const free = await Promise.all(Array.from({ length: count }, () => startPlayer(folder)));
  const all = new Set(free);
  const waiting: ((player: ChildProcess) => void)[] = [];

  const take = () =>
    new Promise<ChildProcess>((resolve) => {
      const player = free.pop();
      if (player) resolve(player);
      else waiting.push(resolve);
    });
  const give = (player: ChildProcess) => {
    const next = waiting.shift();
    if (next) next(player);
    else free.push(player);
  };

  return {
    async play(spec, { trace } = {}) {
      const player = await take();
      const reply = await ask(player, { spec, trace: trace ?? null });
      if (player.connected) {
        give(player);
      } else {
        all.delete(player);
        const fresh = await startPlayer(folder);
        all.add(fresh);
        give(fresh);
      }
      return reply;
    },
    close() {
      for (const player of all) player.disconnect();
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
