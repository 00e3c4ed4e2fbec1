import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { expect, test } from 'vitest';
import type { AppError } from '../../kit/errors.ts';
import { sendPages } from './send-pages.ts';

const PAGE = 'x'.repeat(100_000);
const GET = { method: 'GET' };

async function serve(makeBody: () => Readable, read: (answer: IncomingMessage) => Promise<void>) {
  const server = createServer((_, reply) => pipeline(makeBody(), reply, () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  try {
    await read(answer);
  } finally {
    request.destroy();
    server.close();
    await once(server, 'close');
  }
}

test('no page is read ahead of who takes them, and none once they are gone', async () => {
  let pages = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Never ends.
  async function* body() {
    try {
      for (;;) {
        pages += 1;
        yield PAGE;
      }
    } finally {
      end();
    }
  }
  await serve(
    () => sendPages(GET, body(), () => undefined) as Readable,
    async (answer) => {
      await once(answer, 'readable');
      answer.destroy();
      await ended;
      // The sockets' buffers hold some megabytes.
      expect(pages).toBeLessThan(1_000);
    },
  );
});

test('a fault on the way is told, and cuts the connection', async () => {
  const failures: AppError[] = [];
  async function* body() {
    yield 'the first';
    throw new Error('no disk');
  }
  await serve(
    () => sendPages(GET, body(), (failure) => failures.push(failure)) as Readable,
    async (answer) => {
      answer.resume();
      await expect(once(answer, 'end')).rejects.toThrow('aborted');
    },
  );
  expect(failures).toMatchObject([{ code: 'INTERNAL_ERROR' }]);
});

test('for the head alone nothing is read', () => {
  // biome-ignore lint/correctness/useYield: it must not come to that
  async function* body(): AsyncGenerator<string> {
    throw new Error('read');
  }
  expect(sendPages({ method: 'HEAD' }, body(), () => undefined)).toBe('');
});
