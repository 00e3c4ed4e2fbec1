import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStoreCopies } from './store-copies.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'goodword-copies-'));
  mkdirSync(join(dataDir, 'postgres'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

async function copyTo(folder: string): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'PG_VERSION'), '17');
}
const open = (copy = copyTo) => openStoreCopies(dataDir, copy);
const names = () => readdirSync(dataDir).toSorted();

test('a copy that fails halfway leaves nothing: a full disk would stop the service', async () => {
  const copies = await open(async (folder) => {
    await copyTo(folder);
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  await expect(copies.copy()).rejects.toThrow('no space left on device');
  expect(names()).toEqual(['postgres']);
});

test('what an earlier process made is taken away at the start', async () => {
  mkdirSync(join(dataDir, 'copy-of-a-killed-process'));
  await open();
  expect(names()).toEqual(['postgres']);
});

test('each copy is taken away by itself', async () => {
  const copies = await open();
  const first = await copies.copy();
  const second = await copies.copy();
  await first.remove();
  expect(names()).toEqual([basename(second.folder), 'postgres']);
});
