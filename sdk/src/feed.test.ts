import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FollowOptions } from './feed.ts';
import { Goodword } from './goodword.ts';

/** One connection of a reader, which a test writes to and ends. */
interface Connection {
  readonly url: string;
  readonly lastEventId: string | undefined;
  isOpen: boolean;
  write(text: string): void;
  end(): void;
  break(): void;
}

const message = (id: string) => `id: ${id}\nevent: x\ndata: {"id":"wev_${id}"}\n\n`;

/** A service that gives each new connection the next answer, or refuses it. */
function open(answers: readonly ((connection: Connection) => Response | undefined)[]) {
  const connections: Connection[] = [];
  const breaks: string[] = [];
  const client = new Goodword({
    url: 'https://refer.example.com',
    apiKey: 'key',
    projectId: 'prj_1',
    fetch: async (url, init) => {
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start: (one) => {
          controller = one;
        },
      });
      const connection: Connection = {
        url: String(url),
        lastEventId: new Headers(init?.headers).get('last-event-id') ?? undefined,
        isOpen: true,
        write: (text) => controller?.enqueue(new TextEncoder().encode(text)),
        end: () => controller?.close(),
        break: () => controller?.error(new TypeError('terminated')),
      };
      init?.signal?.addEventListener('abort', () => {
        connection.isOpen = false;
        controller?.error(init.signal?.reason);
      });
      connections.push(connection);
      const refusal = answers[connections.length - 1]?.(connection);
      const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
      return refusal ?? new Response(body, { headers });
    },
  });
  const follow = (options: FollowOptions = {}) =>
    client.feed.follow({ onBreak: ({ message: text }) => breaks.push(text), ...options });
  return { connections, breaks, follow };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The next `count` cursors. */
async function take(events: AsyncGenerator<{ cursor: string }>, count: number) {
  const cursors: string[] = [];
  while (cursors.length < count) {
    const next = events.next();
    await vi.advanceTimersByTimeAsync(5_000);
    const { value } = await next;
    cursors.push(value?.cursor ?? 'nothing');
  }
  return cursors;
}

describe('following the feed', () => {
  test('goes on behind the last event, however the stream ended', async () => {
    const { connections, breaks, follow } = open([
      (one) => {
        one.write(message('a') + message('b'));
        return void one.end();
      },
      (one) => {
        one.write(`${message('c')}id: d\ndata: {"id":"cut`);
        // Later, because a break discards data that was not read yet.
        setTimeout(one.break, 10);
        return undefined;
      },
      (one) => void one.write(message('d')),
    ]);
    const events = follow({ after: 'z' });
    expect(await take(events, 4)).toEqual(['a', 'b', 'c', 'd']);
    expect(connections.map(({ lastEventId }) => lastEventId)).toEqual(['z', 'b', 'c']);
    expect(connections[0]?.url).toBe(
      'https://refer.example.com/v1/webhook-events/stream?projectId=prj_1',
    );
    expect(breaks).toEqual(['The stream ended.', 'The stream broke.']);
    await events.return();
    expect(connections[2]?.isOpen).toBe(false);
  });

  test('begins anew with a stream that has gone silent', async () => {
    const { connections, follow } = open([
      (one) => void one.write(message('a')),
      (one) => void one.write(message('b')),
    ]);
    const events = follow();
    await events.next();
    const next = events.next();
    await vi.advanceTimersByTimeAsync(59_000);
    connections[0]?.write(':\n\n');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(connections).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await next).toMatchObject({ value: { cursor: 'b' } });
    expect(connections[0]?.isOpen).toBe(false);
  });

  test('does not take its own reader’s slowness for silence', async () => {
    const { connections, follow } = open([(one) => void one.write(message('a'))]);
    const events = follow();
    await events.next();
    await vi.advanceTimersByTimeAsync(3_600_000);
    connections[0]?.write(message('b'));
    expect(await events.next()).toMatchObject({ value: { cursor: 'b', id: 'wev_b' } });
    expect(connections).toHaveLength(1);
  });

  test('waits as long as the service asks, and longer while it is away', async () => {
    const away = () => new Response('', { status: 502 });
    const { connections, follow } = open([
      (one) => {
        one.write(`retry: 1500\n\n${message('a')}`);
        return void one.end();
      },
      away,
      away,
      (one) => {
        one.write(message('b'));
        return void one.end();
      },
      (one) => void one.write(message('c')),
    ]);
    const events = follow();
    await events.next();
    const next = events.next();
    const counts: number[] = [];
    for (const ms of [1_499, 1, 999, 1, 1_999, 1]) {
      await vi.advanceTimersByTimeAsync(ms);
      counts.push(connections.length);
    }
    expect(counts).toEqual([1, 2, 2, 3, 3, 4]);
    expect(await next).toMatchObject({ value: { cursor: 'b' } });
    const last = events.next();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await last).toMatchObject({ value: { cursor: 'c' } });
  });

  test('waits for an hour at most, whatever it is asked for', async () => {
    const headers = { 'retry-after': '999999999' };
    const { connections, follow } = open([
      () => new Response('', { status: 503, headers }),
      (one) => {
        one.write(`retry: 99999999999\n\n${message('a')}`);
        return void one.end();
      },
      (one) => void one.write(message('b')),
    ]);
    const events = follow();
    for (const [at, cursor] of ['a', 'b'].entries()) {
      const next = events.next();
      await vi.advanceTimersByTimeAsync(3_599_000);
      expect(connections).toHaveLength(at + 1);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await next).toMatchObject({ value: { cursor } });
    }
  });

  test('goes on when something that is not Goodword answers, and ends with its refusal', async () => {
    const page = () =>
      new Response('<h1>Back soon</h1>', { headers: { 'content-type': 'text/html' } });
    const refuse = (status: number, code: string) => () => {
      const error = { code, reason: null, message: 'No.', requestId: 'r', details: null };
      return Response.json({ success: false, error }, { status });
    };
    const missing = () => new Response('default backend', { status: 404 });
    for (const [status, code] of [
      [401, 'UNAUTHORIZED'],
      [403, 'FORBIDDEN'],
      [404, 'NOT_FOUND'],
    ] as const) {
      const { connections, breaks, follow } = open([
        page,
        (one) => {
          one.write(message('a'));
          return void one.end();
        },
        missing,
        page,
        refuse(status, code),
      ]);
      const events = follow();
      expect(await take(events, 1)).toEqual(['a']);
      const ended = expect(events.next()).rejects.toMatchObject({ code });
      await vi.advanceTimersByTimeAsync(20_000);
      await ended;
      expect(connections.map(({ lastEventId }) => lastEventId)).toEqual([
        undefined,
        undefined,
        'a',
        'a',
        'a',
      ]);
      expect(breaks).toHaveLength(4);
    }
  });

  test.each(['', '\n'])(
    'does not take %j, of an emptied file, for the beginning',
    async (after) => {
      const { connections, follow } = open([(one) => void one.write(message('a'))]);
      await expect(follow({ after }).next()).rejects.toThrow(TypeError);
      expect(connections).toEqual([]);
    },
  );

  test('ends when it is aborted, with the reason for that', async () => {
    const { connections, follow } = open([() => undefined]);
    const controller = new AbortController();
    const next = follow({ signal: controller.signal }).next();
    await vi.advanceTimersByTimeAsync(10);
    controller.abort('shutdown');
    await expect(next).rejects.toBe('shutdown');
    expect(connections).toMatchObject([{ isOpen: false }]);
  });
});
