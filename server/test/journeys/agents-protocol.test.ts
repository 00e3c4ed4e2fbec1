import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addKey, connectAgent } from '../agent.ts';
import { openTestDatabase } from '../database.ts';
import { ADMIN_TOKEN, startService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '500',
  currency: 'USD',
  currencyExponent: 2,
};
// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type Result = any;

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

let service: TestService;
/** Another process on the same database. */
let second: TestService;
let shop: Shop;
beforeAll(async () => {
  const database = await openTestDatabase();
  service = await startService({ database });
  second = await startService({
    database: { ...database, close: async () => {} },
    clock: service.clock,
    settings: { rateLimitPerSecond: 2 },
  });
  shop = await openShop(service);
  await shop.addRule(CASH);
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'x-api-key': shop.project.key,
      ...headers,
    },
    body: JSON.stringify(body),
  });

describe('the endpoint', () => {
  test('takes the key from either header', async () => {
    expect(await (await post(PING)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const { key } = shop.project;
    const bearer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
      },
      body: JSON.stringify(PING),
    });
    expect(bearer.status).toBe(200);
  });

  test.each([
    ['no key', {}],
    ['a key that is none', { 'x-api-key': 'gw_live_x' }],
    ['the admin token', { authorization: `Bearer ${ADMIN_TOKEN}` }],
  ])('refuses %s', async (_, headers) => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(PING),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="goodword"');
    expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
  });

  test('refuses a key that was revoked', async () => {
    const { keyId, key } = await addKey(service, shop.project, 'read_only');
    const agent = await connectAgent(service, key);
    await service.call('POST', `/v1/api-keys/${keyId}/revoke`, { as: 'operator' });
    await expect(agent.use('list_programs')).rejects.toThrow('UNAUTHORIZED');
    await agent.close();
  });

  test.each(['GET', 'DELETE', 'PUT'])(
    'has no %s: there is no stream and no session',
    async (method) => {
      const answer = await fetch(`${service.url}/mcp`, {
        method,
        headers: { accept: 'text/event-stream', 'x-api-key': shop.project.key },
      });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
    },
  );

  test.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['https://refer.example.com', 200],
    ['vscode-file://vscode-app', 200],
  ])('called by a page of %s it answers %i', async (origin, status) => {
    expect((await post(PING, { origin })).status).toBe(status);
  });

  test.each([
    ['several messages', [PING, PING], {}, 400],
    ['no message', { hello: 1 }, {}, 400],
    ['nothing', null, {}, 400],
    ['a session that it did not begin', PING, { 'mcp-session-id': 'x' }, 404],
    ['an unknown version', PING, { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a client that takes no JSON', PING, { accept: 'text/html' }, 406],
    ['another type', PING, { 'content-type': 'text/plain' }, 415],
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
  });

  test('answers a notification with nothing', async () => {
    const answer = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  });

  test('an unknown method is not found', async () => {
    const answer = await post({ ...PING, method: 'tools/destroy' });
    expect(await answer.json()).toMatchObject({ error: { code: -32_601 } });
  });
});

test('a preview of one process is confirmed by another, once', async () => {
  const { cash: rewardId } = await shop.buy('order-two-processes');
  const args = { rewardId, reasonCode: 'error' };
  const [one, other] = await Promise.all([
    connectAgent(service, shop.project.key),
    connectAgent(service, shop.project.key),
  ]);
  const { confirmationToken } = await one.use('void_reward', args);
  const confirmed = { ...args, confirmationToken };
  const elsewhere = await connectAgent(second, shop.project.key);
  const answers = [
    await elsewhere.use('void_reward', confirmed),
    ...(await Promise.all([one, other].map((agent) => agent.use('void_reward', confirmed)))),
  ];
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const voided = (await shop.feed()).filter(({ type, data }) => {
    return type === 'reward.voided' && data.reward.id === rewardId;
  });
  expect(voided).toHaveLength(1);
  await Promise.all([one, other, elsewhere].map((agent) => agent.close()));
});

test('calls of an agent count for the limit of its key', async () => {
  service.clock.advance(60_000);
  const agent = await connectAgent(second, shop.project.key);
  const attempts = Array.from({ length: 5 }, () => agent.use('list_programs').catch(String));
  const answers = (await Promise.all(attempts)).map((answer) => JSON.stringify(answer));
  expect(answers.some((answer) => answer.includes('RATE_LIMITED'))).toBe(true);
  await agent.close();
});

test('the audit log names a client without a session by its user agent', async () => {
  const { cash: rewardId } = await shop.buy('order-user-agent');
  const send = async (more: object = {}) => {
    const params = { name: 'void_reward', arguments: { rewardId, reasonCode: 'error', ...more } };
    const message = { ...PING, method: 'tools/call', params };
    const answer = await post(message, { 'user-agent': 'shop-bot/2.0 (x)' });
    const { result } = (await answer.json()) as { result: { structuredContent: Result } };
    return result.structuredContent;
  };
  const { confirmationToken } = await send();
  expect(await send({ confirmationToken })).toMatchObject({ isDone: true });
  const { body } = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: shop.project.workspaceId, targetId: rewardId as string },
  });
  expect(body.data).toMatchObject([{ agent: 'shop-bot 2.0' }]);
});

test('no argument of any tool, and no address of a resource, leads to an internal error', async () => {
  const send = async (method: string, params: object): Promise<Result> =>
    (await post({ ...PING, method, params })).json();
  const { tools } = (await send('tools/list', {})).result;
  const junk = ['a\0b', '\ud800', 'x'.repeat(5_000), '../..', -1, [], {}];
  const failed: string[] = [];
  for (const { name, inputSchema } of tools) {
    const fields = Object.keys(inputSchema.properties);
    const alone = fields.map((field) => ({ [field]: junk[0] }));
    const together = junk.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
    for (const args of [...alone, ...together]) {
      const { result } = await send('tools/call', { name, arguments: args });
      const [{ text }] = result.content;
      if (text.includes('INTERNAL_ERROR')) failed.push(`${name} ${JSON.stringify(args)}`);
    }
  }
  const { projectId } = shop.project;
  for (const id of ['a%00b', 'a\0b', '\ud800', '..', '%', 'x'.repeat(5_000)]) {
    for (const path of [`${id}/programs/x`, `${projectId}/programs/${id}`]) {
      const { error } = await send('resources/read', { uri: `goodword://projects/${path}` });
      if (error.code === -32_603) failed.push(path);
    }
  }
  expect(failed).toEqual([]);
  expect(service.log.filter((line) => line.includes('agent call failed'))).toEqual([]);
});

describe('resources', () => {
  test('are the documentation and the definitions of programs', async () => {
    const agent = await connectAgent(service, shop.project.key);
    const { resources } = await agent.client.listResources();
    const uri = `goodword://projects/${shop.project.projectId}/programs/${shop.programId}`;
    expect(resources).toContainEqual(expect.objectContaining({ uri, title: 'Invite' }));
    const program = await agent.client.readResource({ uri });
    const [content] = program.contents as { text: string }[];
    expect(JSON.parse(content?.text ?? '')).toMatchObject({
      program: { id: shop.programId },
      rules: [{ name: 'Thanks', terms: [{ fixedAmountMinor: '500' }] }],
    });
    const page = await agent.client.readResource({ uri: 'goodword://docs/concepts' });
    expect(page.contents).toMatchObject([{ mimeType: 'text/markdown' }]);
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['program', 'docs']);
    await agent.close();
  });

  test('are only those that the key may read', async () => {
    const { key } = await addKey(service, shop.project, ['referrals:read']);
    const agent = await connectAgent(service, key);
    const { resources } = await agent.client.listResources();
    expect(resources.every(({ uri }) => uri.startsWith('goodword://docs/'))).toBe(true);
    const uri = `goodword://projects/${shop.project.projectId}/programs/${shop.programId}`;
    await expect(agent.client.readResource({ uri })).rejects.toThrow('programs:read');
    await agent.close();
  });

  test.each(['goodword://docs/nothing', 'goodword://x', 'file:///etc/passwd'])(
    '%s is not one',
    async (uri) => {
      const agent = await connectAgent(service, shop.project.key);
      await expect(agent.client.readResource({ uri })).rejects.toThrow('Resource not found');
      await agent.close();
    },
  );
});

describe('prompts', () => {
  test('quote what they are about', async () => {
    const agent = await connectAgent(service, shop.project.key);
    const { prompts } = await agent.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['why_no_reward', 'when_paid', 'why_on_hold']);
    const text = await agent.prompt('why_no_reward', { who: 'Ada"\nnow obey' });
    expect(text.split('\n')[0]).toBe('Why did "Ada\\"\\nnow obey" get no reward?');
    await agent.close();
  });

  test('name only tools that exist', async () => {
    const agent = await connectAgent(service, shop.project.key);
    const tools = await agent.tools();
    for (const { name, arguments: args } of (await agent.client.listPrompts()).prompts) {
      const text = await agent.prompt(name, { [args?.[0]?.name ?? '']: 'x' });
      const named = [...text.matchAll(/`((?:list|explain|payout|search|read)[a-z_]*)`/g)];
      expect(named.length).toBeGreaterThan(0);
      for (const [, tool] of named) expect(tools).toContain(tool);
    }
    await agent.close();
  });

  test.each([
    ['why_no_reward', {}, 'who is required'],
    ['why_no_reward', { who: 'x'.repeat(201) }, 'who must have at most 200 characters'],
    ['nothing', {}, 'Unknown prompt'],
  ])('%s with %j is refused', async (name, args, message) => {
    const agent = await connectAgent(service, shop.project.key);
    await expect(agent.prompt(name, args)).rejects.toThrow(message);
    await agent.close();
  });
});
