import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GoodwordError, isGoodwordError } from './errors.ts';
import { Goodword, type GoodwordOptions } from './goodword.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly atMs: number;
}
type Reply = Response | Error | 'silence';

const START = Date.parse('2026-11-15T09:30:00Z');
const ok = (body: object = {}) => Response.json({ success: true, ...body });
const refusal = (status: number, code: string, headers: HeadersInit = {}, reason?: string) =>
  Response.json(
    { success: false, error: { code, reason, message: 'No.', requestId: 'req_1', details: null } },
    { status, headers },
  );
const ada = { kind: 'individual', externalId: 'ada' } as const;

/** A client of a service that gives these replies one after another, and repeats the last one. */
function open(replies: readonly (() => Reply)[], options: Partial<GoodwordOptions> = {}) {
  const sent: Sent[] = [];
  const client = new Goodword({
    url: 'https://refer.example.com/',
    apiKey: 'gw_sandbox_1',
    projectId: 'prj_1',
    sourceNamespaceId: 'src_1',
    fetch: async (url, init) => {
      const reply = (replies[sent.length] ?? replies.at(-1))?.();
      const { method = 'GET', headers, body, signal } = init ?? {};
      sent.push({
        method,
        url: String(url),
        headers: headers as Record<string, string>,
        body: body as string | undefined,
        atMs: Date.now() - START,
      });
      if (reply instanceof Response) return reply;
      if (reply instanceof Error) throw reply;
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    },
    ...options,
  } as GoodwordOptions);
  return { client, sent };
}

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The outcome, after all waits. */
async function outcomeOf<T>(call: Promise<T>): Promise<T | GoodwordError> {
  const settled = call.catch((error) => error);
  await vi.runAllTimersAsync();
  return settled;
}

describe('a call', () => {
  test('carries the key, its Project, and its parameters in their places', async () => {
    const { client, sent } = open([() => ok({ data: {} })]);
    await client.track.signup({ participant: ada, handle: 'hdl_1', refCode: 'bob' });
    await client.request('GET /v1/rewards', { query: { eventId: 'a b&c', limit: 2 } });
    await client.rewards.get('rwd/1 ?');
    await client.participants.erase('par_1', { force: true });
    await client.request('GET /v1/projects/{projectId}/clock');
    await client.request('GET /v1/programs', { query: { projectId: 'prj_2' } });
    await client.request('POST /v1/workspaces', { body: { name: 'Acme' } });
    const at = 'https://refer.example.com/v1';
    expect(sent.map(({ method, url }) => `${method} ${url.replace(at, '')}`)).toEqual([
      'POST /track/events',
      'GET /rewards?projectId=prj_1&eventId=a+b%26c&limit=2',
      'GET /rewards/rwd%2F1%20%3F?projectId=prj_1',
      'DELETE /participants/par_1?projectId=prj_1&force=true',
      'GET /projects/prj_1/clock',
      'GET /programs?projectId=prj_2',
      'POST /workspaces',
    ]);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      projectId: 'prj_1',
      sourceNamespaceId: 'src_1',
      type: 'signup',
      participant: ada,
      identify: { handle: 'hdl_1' },
      refCode: 'bob',
    });
    expect(sent[6]?.body).toBe('{"name":"Acme"}');
    expect(sent[1]).toMatchObject({ headers: { 'x-api-key': 'gw_sandbox_1' }, body: undefined });
  });

  test('of an operation that is known only at run time is sent as any other', async () => {
    const { client, sent } = open([() => ok({ data: 1 })]);
    const operation: string = 'GET /v1/programs/{programId}';
    const call = { path: { programId: 'prg 1' }, query: { projectId: 'prj_2' } };
    expect(await client.send(operation, call)).toEqual({ success: true, data: 1 });
    expect(sent[0]?.url).toBe('https://refer.example.com/v1/programs/prg%201?projectId=prj_2');
  });

  test.each(['apiKey', 'adminToken'])('with a broken %s is never made, nor is it told', (name) => {
    for (const broken of ['gw_live_hush\n', 'gw_live_hush\r\n', 'gw_live_\u200bhush']) {
      const options = { url: 'https://refer.example.com', [name]: broken };
      expect(() => new Goodword(options as unknown as GoodwordOptions)).toThrow(
        new TypeError(`The ${name} has characters that no key has, such as a line’s end.`),
      );
    }
  });

  test('that no header can carry is never made, nor is what it carries told', async () => {
    const { client, sent } = open([() => ok()]);
    for (const options of [
      { idempotencyKey: '🎁 hush' },
      { idempotencyKey: 'hush\nhush' },
      { headers: { 'Idempotency-Key': 'hush\0' } },
    ]) {
      await expect(client.rewards.fulfill('rwd_1', 'grant-1', options)).rejects.toThrow(
        new TypeError('The header idempotency-key cannot be sent as it is.'),
      );
    }
    expect(sent).toEqual([]);
  });

  test.each(['ftp://refer.example.com', 'localhost:8080', 'refer.example.com', '', undefined])(
    'has nowhere to go with %j',
    (url) => {
      expect(() => open([], { url: url as string })).toThrow(
        new TypeError('Give the client the url of the service: http://… or https://…'),
      );
    },
  );

  test('can carry headers of its own, in place of the client’s', async () => {
    const { client, sent } = open([() => ok()]);
    await client.request('GET /v1/widget/rewards', {
      query: { programId: 'prg_1' },
      headers: { Authorization: 'Bearer token', 'X-Api-Key': 'other' },
    });
    expect(sent[0]?.headers).toEqual({ authorization: 'Bearer token', 'x-api-key': 'other' });
  });

  test('of a signup identifies nobody where there is no handle', async () => {
    const { client, sent } = open([() => ok()]);
    for (const handle of [null, undefined, '', ' ']) {
      await client.track.signup({ participant: ada, handle });
    }
    expect(sent.map(({ body }) => 'identify' in JSON.parse(body ?? ''))).toEqual(
      Array(4).fill(false),
    );
  });

  test('of a fact needs a source, and says so as calls fail', async () => {
    const { client, sent } = open([() => ok()], { sourceNamespaceId: undefined });
    await expect(client.track.signup({ participant: ada })).rejects.toThrow('sourceNamespaceId');
    await client.track.signup({ participant: ada, sourceNamespaceId: 'src_2' });
    expect(sent).toHaveLength(1);
  });

  test('cannot be led to another address by an id', async () => {
    const { client, sent } = open([() => ok()]);
    for (const id of ['', '.', '..']) {
      await expect(client.rewards.get(id)).rejects.toThrow(TypeError);
    }
    expect(sent).toEqual([]);
  });

  test('shows its key to nobody whom it is redirected to', async () => {
    const redirect = new Response(null, { status: 302, headers: { location: 'https://x.test' } });
    const fetch = vi.fn(async () => redirect);
    const { client } = open([], { fetch });
    expect(await outcomeOf(client.rewards.get('rwd_1'))).toMatchObject({ code: 'BAD_ANSWER' });
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      expect.any(String),
      expect.objectContaining({ redirect: 'manual' }),
    );
  });
});

describe('a call that fails', () => {
  test.each<[string, () => Reply]>([
    ['no connection', () => new TypeError('fetch failed')],
    ['no answer in time', () => 'silence'],
    [
      'half an answer',
      () => new Response('{"succ', { headers: { 'content-type': 'application/json' } }),
    ],
    ['429', () => refusal(429, 'RATE_LIMITED')],
    ['503', () => refusal(503, 'SERVICE_UNAVAILABLE')],
    ['a proxy’s 502', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['a proxy’s 504', () => new Response('', { status: 504 })],
  ])('by %s is repeated until it succeeds', async (_name, fail) => {
    const { client, sent } = open([fail, fail, () => ok({ eventId: 'evt_1' })]);
    expect(await outcomeOf(client.track.signup({ participant: ada }))).toMatchObject({
      eventId: 'evt_1',
    });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  test.each([
    [400, 'INVALID_REQUEST', false],
    [401, 'UNAUTHORIZED', false],
    [403, 'FORBIDDEN', false],
    [404, 'NOT_FOUND', false],
    [409, 'CONFLICT', false],
    [413, 'PAYLOAD_TOO_LARGE', false],
    [500, 'INTERNAL_ERROR', true],
  ])('with %i is not repeated; %s passes: %s', async (status, code, isTransient) => {
    const { client, sent } = open([() => refusal(status, code, { 'retry-after': '1' })]);
    const error = await outcomeOf(client.track.signup({ participant: ada }));
    expect(error).toMatchObject({ code, status, requestId: 'req_1', isTransient });
    expect(sent).toHaveLength(1);
  });

  test.each<[string, () => Response]>([
    ['a proxy’s own code', () => new Response('<h1>Unknown</h1>', { status: 520 })],
    ['a 404 of what stands before it', () => new Response('default backend', { status: 404 })],
    ['a redirect', () => new Response(null, { status: 307, headers: { location: '/' } })],
    ['a page instead of an answer', () => new Response('<h1>Back soon</h1>')],
    [
      'another service’s refusal',
      () => Response.json({ error: { code: 'NOT_FOUND', message: 'No.' } }, { status: 404 }),
    ],
  ])('with %s is not repeated, and passes: Goodword has refused nothing', async (_name, reply) => {
    const { client, sent } = open([reply]);
    const error = await outcomeOf(client.track.signup({ participant: ada }));
    const { status } = reply();
    expect(error).toMatchObject({ code: 'BAD_ANSWER', status, isTransient: true });
    expect(sent).toHaveLength(1);
  });

  test('is repeated four times, each time later, or as often as told', async () => {
    const { client, sent } = open([() => refusal(503, 'SERVICE_UNAVAILABLE')]);
    expect(await outcomeOf(client.rewards.get('rwd_1'))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      isTransient: true,
    });
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 125, 375, 875, 1_875]);
    await outcomeOf(client.rewards.get('rwd_1', { retries: 0 }));
    expect(sent).toHaveLength(6);
  });

  test.each([Number.NaN, -1])('cannot be repeated %d times', async (retries) => {
    expect(() => open([], { retries })).toThrow(RangeError);
    const { client, sent } = open([() => ok()]);
    await expect(client.rewards.get('rwd_1', { retries })).rejects.toThrow(RangeError);
    expect(sent).toEqual([]);
  });

  test('waits for as long as it is asked to, in seconds or until a date', async () => {
    const { client, sent } = open([
      () => refusal(429, 'RATE_LIMITED', { 'retry-after': '7' }),
      () => refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': 'Sun, 15 Nov 2026 09:30:20 GMT' }),
      () => ok(),
    ]);
    await outcomeOf(client.rewards.get('rwd_1'));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 7_000, 20_000]);
  });

  test('tells at once when there is no time left to wait', async () => {
    const { client } = open([() => refusal(429, 'RATE_LIMITED', { 'retry-after': '31' })]);
    const error = await client.rewards.get('rwd_1').catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 31_000,
      isTransient: true,
    });
  });

  test('takes no longer than its time, all repeats together', async () => {
    const { client, sent } = open([() => 'silence']);
    const error = await outcomeOf(client.rewards.get('rwd_1'));
    expect(error).toMatchObject({ code: 'NO_ANSWER', status: 0, isTransient: true });
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 10_125, 20_375]);
    expect(Date.now() - START).toBe(30_000);
    await outcomeOf(client.rewards.get('rwd_1', { timeoutMs: 500 }));
    expect(Date.now() - START).toBe(30_500);
    sent.length = 0;
    await outcomeOf(client.rewards.get('rwd_1', { attemptTimeoutMs: 20_000 }));
    expect(sent.map(({ atMs }) => atMs)).toEqual([30_500, 50_625]);
  });

  test('ends as soon as it is aborted, while it is under way and while it waits', async () => {
    const reason = new Error('gone');
    for (const reply of [() => 'silence' as const, () => refusal(429, 'RATE_LIMITED')]) {
      const { client, sent } = open([reply]);
      const controller = new AbortController();
      const { signal } = controller;
      const retries = reply() === 'silence' ? 0 : 4;
      const call = client.rewards.get('rwd_1', { signal, retries }).catch((error) => error);
      await vi.advanceTimersByTimeAsync(50);
      controller.abort(reason);
      expect(await call).toBe(reason);
      expect(vi.getTimerCount()).toBe(0);
      expect(sent).toHaveLength(1);
    }
  });
});

describe('an Idempotency-Key', () => {
  const keys = (sent: readonly Sent[]) => sent.map(({ headers }) => headers['idempotency-key']);

  test('is made once for a call and sent with all its repeats', async () => {
    const { client, sent } = open([() => new TypeError('fetch failed'), () => ok({ data: {} })]);
    const program = { kind: 'referral', name: 'Invite' } as const;
    await outcomeOf(client.request('POST /v1/programs', { body: program }));
    await outcomeOf(client.request('POST /v1/programs', { body: program }));
    await outcomeOf(client.request('POST /v1/programs', { body: program, idempotencyKey: 'mine' }));
    const [first, repeat, other, given] = keys(sent);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(repeat).toBe(first);
    expect(other).not.toBe(first);
    expect(given).toBe('mine');
  });

  test('is not needed by what is recognised by itself, nor by what reads', async () => {
    const { client, sent } = open([() => ok({ data: {}, results: [] })]);
    await client.track.purchase({ participant: ada, sourceEventId: 'o1' });
    await client.track.batch([{ type: 'signup', participant: ada }]);
    await client.identify({ handle: 'hdl_1', participant: ada });
    await client.rewards.get('rwd_1');
    await client.participants.erase('par_1');
    expect(keys(sent)).toEqual(Array(5).fill(undefined));
  });

  test('is not there for what shows a secret: that is not repeated, unless it was not begun', async () => {
    const url = 'https://shop.example.com/hooks';
    for (const fail of [() => new TypeError('lost'), () => refusal(503, 'SERVICE_UNAVAILABLE')]) {
      const { client, sent } = open([fail, () => ok()]);
      const error = await outcomeOf(
        client.request('POST /v1/webhook-endpoints', { body: { url } }),
      );
      expect(isGoodwordError(error)).toBe(true);
      expect(sent).toHaveLength(1);
    }
    const { client, sent } = open([() => refusal(429, 'RATE_LIMITED'), () => ok()]);
    await outcomeOf(client.request('POST /v1/webhook-endpoints', { body: { url } }));
    expect(sent).toHaveLength(2);
  });
});

describe('an error', () => {
  test('is known by its code and reason, from whichever copy of the package', () => {
    const error = new GoodwordError({ code: 'CONFLICT', reason: 'slug_taken', message: 'Taken.' });
    expect(isGoodwordError(error)).toBe(true);
    expect(isGoodwordError(error, 'CONFLICT')).toBe(true);
    expect(isGoodwordError(error, 'CONFLICT', 'slug_taken')).toBe(true);
    expect(isGoodwordError(error, 'CONFLICT', 'code_taken')).toBe(false);
    expect(isGoodwordError(error, 'NOT_FOUND')).toBe(false);
    for (const other of [new Error('x'), null, undefined, 'CONFLICT', { code: 'CONFLICT' }]) {
      expect(isGoodwordError(other)).toBe(false);
    }
  });

  test('says which fields are wrong', async () => {
    const details = [{ path: 'participant.kind', issue: 'must be individual or group' }];
    const error = { code: 'INVALID_REQUEST', reason: null, message: 'x', requestId: 'r', details };
    const { client } = open([() => Response.json({ success: false, error }, { status: 400 })]);
    const thrown = await outcomeOf(client.track.signup({ participant: ada }));
    expect(thrown).toMatchObject({ issues: details, reason: null });
    expect(thrown).toHaveProperty('body', { success: false, error });
  });
});
