import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

/** A copy of the start of `npm run verify`, with this for its build. */
function verifyWith(build: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-half-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = join(folder, 'server');
  cpSync(fileURLToPath(new URL('../../bin', import.meta.url)), join(server, 'bin'), {
    recursive: true,
  });
  mkdirSync(join(server, 'dist'));
  writeFileSync(join(server, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'package.json'), '{"scripts": {"build": "exit 3"}}');
  for (const [name, text] of Object.entries(build)) writeFileSync(join(server, 'dist', name), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/verify.js'], {
    cwd: server,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('a build that lacks a file is reported, with what to do', () => {
  const { status, stdout, stderr } = verifyWith({ 'verify.js': `import './chunk-1.js';` });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('chunk-1.js');
  expect(stderr).toContain('The build is incomplete. Run npm install && npm run build');
});

test('a build that fails is reported', () => {
  const { status, stdout, stderr } = verifyWith({});
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('The build failed.');
});

test('what fails in the program itself is not taken for a fault of the build', () => {
  const { status, stderr } = verifyWith({ 'verify.js': `throw new Error('out of luck');` });
  expect(status).toBe(1);
  expect(stderr).toContain('out of luck');
  expect(stderr).not.toContain('npm run build');
});
