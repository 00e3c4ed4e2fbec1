import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addKey } from '../agent.ts';
import { readGuide } from '../guides/blocks.ts';
import { runJob } from '../guides/workflow.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

const { blocks } = readGuide('docs/programs-as-code.md');
const textOf = (part: string) => {
  const block = blocks.find(({ text }) => text.includes(part));
  if (!block) throw new Error(`The page has no block with ${part}.`);
  return block.text;
};
const WORKFLOW = textOf('name: Program\n');
const [, FILE = ''] = textOf('cat > program.yaml').split(/<<'EOF'\n|\nEOF\n/);

let service: TestService;
let project: TestProject;
let readKey: string;
let folder: string;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
  ({ key: readKey } = await addKey(service, project, ['programs:read']));
  folder = mkdtempSync(join(tmpdir(), 'goodword-workflow-'));
  return () => rmSync(folder, { recursive: true });
});
afterAll(() => service.close());

const runOf = (name: string, file: string) => {
  writeFileSync(join(folder, 'program.yaml'), file);
  return runJob(
    { text: WORKFLOW, name, folder },
    {
      'secrets.GOODWORD_READ_KEY': readKey,
      'secrets.GOODWORD_WRITE_KEY': project.key,
      'github.token': 'token',
      'github.event.pull_request.html_url': 'https://github.com/acme/shop/pull/1',
    },
    { GOODWORD_URL: service.url, GOODWORD_PROJECT: project.projectId, DATA_DIR: folder },
  );
};

test('a pull request gets the plan as a comment, and nothing is changed', async () => {
  const { isGood, calls } = await runOf('plan', FILE);
  expect(calls).toContain('pr comment https://github.com/acme/shop/pull/1');
  expect(calls).toContain('    + Creates the referral program “Invite a friend”');
  expect(isGood).toBe(true);
  const programs = await service.call('GET', '/v1/programs', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(programs.body.data).toEqual([]);
});

test('a file with a mistake fails the check, and the comment names the mistake', async () => {
  const { isGood, calls } = await runOf('plan', FILE.replace('holdDays', 'holddays'));
  expect(calls).toContain('did you mean holdDays?');
  expect(isGood).toBe(false);
});

test('a merge applies the file, and a repeat changes nothing', async () => {
  const first = await runOf('apply', FILE);
  expect(first.output).toContain('Creates the referral program');
  expect(first.isGood).toBe(true);
  const again = await runOf('apply', FILE);
  expect(again).toMatchObject({ isGood: true, output: expect.stringContaining('Nothing to do') });
  expect((await runOf('plan', FILE)).calls).toContain('Nothing to do.');
});
