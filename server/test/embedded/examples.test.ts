import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../guides/blocks.ts';

test('the Express example has the types of Express and of the SDK', () => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const run = () => execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'examples/express')]);
  expect(run).not.toThrow();
});
