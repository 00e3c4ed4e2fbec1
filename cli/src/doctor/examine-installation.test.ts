import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { examineInstallation, findExaminer } from './examine-installation.ts';

/** A program that runs a script. */
function programOf(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'doctor.mjs');
  writeFileSync(program, script);
  return program;
}

test('what the service’s program finds is taken as it is, and its clocks are judged', async () => {
  const finding = { check: 'disk', level: 'ok', message: 'enough', advice: null };
  const clock = { check: 'database’s clock', aheadMs: -5_000, slackMs: 10 };
  const printed = { installation: [finding, clock], network: [{ ...finding, check: 'mail' }] };
  const program = programOf(`if (process.env.A === 'b') console.log('${JSON.stringify(printed)}')`);
  expect(await examineInstallation(program, { A: 'b' })).toEqual({
    installation: [finding, expect.objectContaining({ level: 'warning', check: clock.check })],
    network: [{ ...finding, check: 'mail' }],
  });
});

test.each([
  ['fails', 'process.exitCode = 7'],
  ['says nothing that can be read', 'console.log("so")'],
])('a program that %s is a problem that says how to see more', async (_, script) => {
  const program = programOf(script);
  expect(await examineInstallation(program, {})).toMatchObject({
    installation: [{ level: 'problem', advice: `See what it says: node ${program}` }],
    network: [],
  });
});

test('where the service is not installed, it is told what was not looked at', async () => {
  const nowhere = pathToFileURL(join(tmpdir(), 'nowhere/cli/dist/goodword.js')).href;
  expect(findExaminer(nowhere)).toBeNull();
  const { installation } = await examineInstallation(null, {});
  expect(installation).toMatchObject([{ level: 'warning' }]);
  expect(installation[0]?.message).toContain('settings, data folder, database');
});
