import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_TOKEN, openService, type TestProject, type TestService } from '../harness.ts';
import { type Ended, killAll, runCli } from '../process.ts';

let service: TestService;
let project: TestProject;
const folder = mkdtempSync(join(tmpdir(), 'goodword-cli-'));
const path = join(folder, 'program.yaml');
beforeAll(async () => {
  service = await openService();
  project = await service.newProject('sandbox');
});
afterAll(async () => {
  await killAll();
  await service.close();
  rmSync(folder, { recursive: true });
});

const cli = (line: string): Promise<Ended> =>
  runCli(line.split(' '), {
    BASE_URL: service.url,
    ADMIN_TOKEN,
    DATA_DIR: folder,
    GOODWORD_PROJECT: project.projectId,
  });

const FILE = `apiVersion: goodword/v1
kind: Program
key: invite
programKind: referral
name: Invite a friend
rules:
  thanks:
    name: Thanks
    eventType: purchase
    beneficiaryRole: referrer
    terms: { benefitKind: cash, calculation: percentage, rateBps: 2000 }
`;

test('a file is planned, applied once, found unchanged, exported and changed', async () => {
  writeFileSync(path, FILE);
  const planned = await cli(`programs plan -f ${path}`);
  expect({ ...planned, stderr: '' }).toMatchObject({
    code: 2,
    stdout: `+ Creates the referral program “Invite a friend” as a draft, with the key invite.
+ Creates the rule thanks: 20% of the amount in cash for the referrer of each purchase.

2 changes.
`,
  });

  const unasked = await cli(`programs apply -f ${path}`);
  expect(unasked.code).toBe(1);
  expect(unasked.stderr).toContain('Add --yes');

  const applied = await cli(`programs apply -f ${path} --yes`);
  expect(applied.code, applied.stderr).toBe(0);
  expect(applied.stdout).toMatch(/Done\. The program is prg_\w+\. Activate it with: .* set-status/);

  for (const line of [`programs plan -f ${path}`, `programs apply -f ${path} --yes --prune`]) {
    expect(await cli(line)).toMatchObject({ code: 0, stdout: 'Nothing to do.\n' });
  }

  const exported = await cli('programs export invite');
  expect(exported.stdout).toContain('\nkey: invite\nprogramKind: referral\n');
  expect((await cli(`programs export invite --out ${path}`)).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(exported.stdout);

  writeFileSync(path, exported.stdout.replace('rateBps: 2000', 'rateBps: 2500'));
  const drifted = await cli(`programs plan --file ${path} --program invite --json`);
  expect(drifted.code).toBe(2);
  expect(JSON.parse(drifted.stdout).data.changes).toMatchObject([{ action: 'publish' }]);
  const done = await cli(`programs apply ${path} --yes --json`);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout).data).toMatchObject({ isEmpty: false });
  expect((await cli(`programs plan -f ${path}`)).code).toBe(0);
});

test('a mistake is 1, so that 2 always means changes', async () => {
  writeFileSync(path, FILE.replace('rateBps', 'rateBsp'));
  const wrong = await cli(`programs plan -f ${path}`);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('rules.thanks.terms.rateBsp');
  expect(wrong.stderr).toContain('did you mean rateBps? (line 11)');
  const others = [
    'programs plan',
    'programs plan -f /nowhere.yaml',
    `programs plan -f ${path} --purge`,
    'programs export nothing',
    `programs plan -f ${path} --program nothing`,
  ];
  for (const line of others) expect((await cli(line)).code, line).toBe(1);
});
