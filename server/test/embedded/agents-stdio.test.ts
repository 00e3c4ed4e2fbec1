import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addKey, type TestAgent, wrapClient } from '../agent.ts';
import { findFreePort } from '../free-port.ts';
import { openService, type TestService } from '../harness.ts';
import { runCli } from '../process.ts';
import { openShop, type Shop } from '../shop.ts';

const PROGRAM = fileURLToPath(new URL('../../../cli/dist/goodword.js', import.meta.url));
const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '500',
  currency: 'USD',
  currencyExponent: 2,
};

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
  shop = await openShop(service);
  await shop.addRule(CASH);
});
afterAll(() => service.close());

const settings = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  DATA_DIR: tmpdir(),
  GOODWORD_URL: service.url,
  GOODWORD_KEY: shop.project.key,
  ...more,
});

async function connect(env: Record<string, string> = {}, args: string[] = []): Promise<TestAgent> {
  const client = new Client({ name: 'desk', version: '3.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', ...args],
      env: settings(env),
      stderr: 'pipe',
    }),
  );
  return wrapClient(client);
}

test('an agent on standard input and output has the tools of its key', async () => {
  const agent = await connect();
  const { data } = await agent.use('list_programs');
  expect(data).toMatchObject([{ id: shop.programId }]);
  expect(await agent.tools()).toContain('void_reward');
  const { key } = await addKey(service, shop.project, 'read_only');
  const reader = await connect({ GOODWORD_KEY: key });
  expect(await reader.tools()).not.toContain('void_reward');
  await Promise.all([agent.close(), reader.close()]);
});

test('it changes something in two calls, and the audit log names it', async () => {
  const { cash: rewardId } = await shop.buy('order-stdio');
  const agent = await connect();
  const args = { rewardId, reasonCode: 'error' };
  const { confirmationToken } = await agent.use('void_reward', args);
  expect(await agent.use('void_reward', { ...args, confirmationToken })).toMatchObject({
    isDone: true,
  });
  const { body } = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: shop.project.workspaceId, targetId: rewardId as string },
  });
  expect(body.data).toMatchObject([{ agent: 'desk 3.0' }]);
  await agent.close();
});

test('the project is the setting’s or the one named', async () => {
  const other = await service.newProject();
  for (const agent of [
    await connect({ GOODWORD_PROJECT: other.projectId }),
    await connect({}, ['--project', other.projectId]),
  ]) {
    expect(await agent.refusal('list_programs')).toMatchObject({ code: 'NOT_FOUND' });
    await agent.close();
  }
});

test('a refused key and a service that does not answer are errors of the protocol', async () => {
  await expect(connect({ GOODWORD_KEY: 'gw_live_x' })).rejects.toThrow('does not accept the key');
  const nobody = `http://127.0.0.1:${await findFreePort()}`;
  await expect(connect({ GOODWORD_URL: nobody })).rejects.toThrow(
    `Goodword does not answer at ${nobody} (ECONNREFUSED)`,
  );
});

test('without a key it says so', async () => {
  const { code, stdout, stderr } = await runCli(['mcp'], settings({ GOODWORD_KEY: '' }));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Set GOODWORD_KEY');
});

test('standard output has nothing but messages, and it ends after the last answer when its input ends', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env: settings() });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => out.push(part));
  child.stderr.on('data', (part: Buffer) => err.push(part));
  child.stdin.write('this is not a message\n');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  child.stdin.end();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(JSON.parse(Buffer.concat(out).toString())).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  expect(Buffer.concat(err).toString()).not.toBe('');
});
