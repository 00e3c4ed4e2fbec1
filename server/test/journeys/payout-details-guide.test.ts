import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { newWidgetSecret } from '../widget-token.ts';

const guide = readFileSync(new URL('../../../docs/payout-details.md', import.meta.url), 'utf8');
/** The ways to sign that the guide shows, ready to run. */
const ways = [...guide.matchAll(/```js\n(import .*?export function widgetToken.*?)```/gs)].map(
  (match) => match[1] as string,
);
const SERVER = fileURLToPath(new URL('../..', import.meta.url));

let service: TestService;
let project: TestProject;
let secret: string;
beforeAll(async () => {
  service = await openService();
  // The code of the guide goes by the real time.
  service.clock.advance(Date.now() - service.clock.nowMs());
  project = await service.newProject();
  secret = (await newWidgetSecret(service, project)).secret;
});
afterAll(() => service.close());

test('each way to sign a token that the guide shows makes one that is taken', async () => {
  expect(ways).toHaveLength(2);
  for (const [index, code] of ways.entries()) {
    const userId = `user-${index}`;
    const print = `console.log(await widgetToken('${project.projectId}', '${userId}'));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', `${code}\n${print}`],
      { cwd: SERVER, env: { ...process.env, WIDGET_SECRET: secret } },
    );
    const { status, body } = await service.call('PUT', '/v1/widget/payout-details', {
      headers: { authorization: `Bearer ${stdout.trim()}` },
      body: {
        projectId: project.projectId,
        details: { type: 'paypal', email: `${userId}@example.com` },
      },
    });
    expect([status, body.label]).toEqual([200, 'u•••@example.com']);
  }
  const { body } = await service.call('GET', '/v1/participants', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(body.data.map((one: { externalId: string }) => one.externalId)).toEqual([
    'user-1',
    'user-0',
  ]);
});
