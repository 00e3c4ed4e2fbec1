import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from './kit/clock.ts';
import { openStoreCopies } from './store-copies.ts';

const HOUR_MS = 3_600_000;
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
const open = (copy = copyTo) => openStoreCopies(dataDir, copy, systemClock);
const names = () => readdirSync(dataDir).toSorted();

function leave(name: string, hoursAgo: number): void {
  const folder = join(dataDir, name);
  mkdirSync(folder);
  const then = (Date.now() - hoursAgo * HOUR_MS) / 1_000;
  utimesSync(folder, then, then);
}

test('a copy that fails halfway leaves nothing: a full disk would stop the service', async () => {
  const copies = await open(async (folder) => {
    await copyTo(folder);
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  await expect(copies.copy()).rejects.toThrow('no space left on device');
  expect(names()).toEqual(['postgres']);
});

test('what an earlier process made is taken away at the start', async () => {
  leave('copy-of-a-killed-process', 0);
  await open();
  expect(names()).toEqual(['postgres']);
});

test('a copy that nobody came back for is taken away before the next, one in use is not', async () => {
  const copies = await open();
  leave('copy-abandoned', 13);
  const first = await copies.copy();
  const second = await copies.copy();
  expect(names()).toEqual([basename(first.folder), basename(second.folder), 'postgres'].toSorted());
});
