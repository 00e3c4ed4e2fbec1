import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRoot, shippedFile } from './root.ts';

test('files that are shipped are found from the folder of the sources', () => {
  expect(existsSync(shippedFile('server/migrations/0001_baseline.sql'))).toBe(true);
});

test('the root is found from any depth, and outside of a copy its absence is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-root-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const deep = join(folder, 'server/dist/chunks');
  mkdirSync(deep, { recursive: true });
  expect(() => findRoot(deep)).toThrow(/contains server\/migrations/);
  mkdirSync(join(folder, 'server/migrations'));
  expect(findRoot(deep)).toBe(folder);
});
