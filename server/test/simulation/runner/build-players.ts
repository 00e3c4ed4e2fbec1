import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Below the server, whose own versions of packages the players need. */
const BUILDS = import.meta.dirname;
const SOURCES = join(BUILDS, '../../../test/simulation');

/** Each in a file of its own: see `kept-worlds.ts`. */
export const WORLDS = join(SOURCES, 'worlds');

/** Builds the program of players with the service as it is; returns its folder. */
export async function buildSoundPlayers(): Promise<string> {
  // What an earlier service ran.
  rmSync(join(BUILDS, 'statements.json'), { force: true });
  return buildPlayers('players');
}

/** Builds the program of players with the service in it, under this name; returns its folder. */
export async function buildPlayers(name: string, plugins: Plugin[] = []): Promise<string> {
  const outdir = join(BUILDS, name);
  await build({
    entryPoints: {
      player: join(SOURCES, 'runner/player.ts'),
      preload: join(SOURCES, 'authority/preload.ts'),
    },
    outdir,
    bundle: true,
    // What the preload replaces and what a player uses is one module.
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    plugins,
  });
  return outdir;
}
