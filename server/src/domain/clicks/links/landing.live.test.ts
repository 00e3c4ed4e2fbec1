import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LANDING_SCRIPT_FILE } from './landing.ts';

test('the landing script takes at most 2 KB of other people’s pages', () => {
  expect(gzipSync(readFileSync(LANDING_SCRIPT_FILE), { level: 9 }).length).toBeLessThanOrEqual(
    2_048,
  );
});
