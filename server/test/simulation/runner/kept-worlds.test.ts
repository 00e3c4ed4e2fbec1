import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateWorld } from '../world/generate.ts';
import { readWorld, readWorlds, toFileName, writeWorld } from './kept-worlds.ts';

const WORLDS = join(import.meta.dirname, '../worlds');

it('a world is read as it was written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'worlds-'));
  const world = { name: toFileName('It fails!'), finds: ['a'], spec: generateWorld(7, 40) };
  expect(readWorld(writeWorld(folder, world))).toEqual(world);
  expect(readWorlds(folder)).toEqual([{ ...world, name: 'it-fails-' }]);
});

it('every kept world can be read, and has something in it', () => {
  for (const { spec } of readWorlds(WORLDS)) expect(spec.operations.length).toBeGreaterThan(0);
});
