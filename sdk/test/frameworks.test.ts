import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { readHandle } from '../src/read-handle.ts';

const HANDLE = 'hdl_0123456789abcdefghjkmnpqrs';
const COOKIE = `theme=dark; service_handle=${HANDLE}; other=a=b`;
const WITH = { headers: { cookie: COOKIE } };
const WITHOUT = { headers: { cookie: 'theme=dark; xservice_handle=1; service_handle2=2' } };

/** What a server answers with the cookie, without it among others, and without any. */
async function ask(send: (init: RequestInit) => Promise<Response>) {
  const answers = [WITH, WITHOUT, {}].map(async (init) => (await send(init)).text());
  return Promise.all(answers);
}

async function askListener(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    return await ask((init) => fetch(url, init));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const EXPECTED = [HANDLE, 'null', 'null'];

describe('the handle of a browser is read from a request of', () => {
  test('node:http, and so of Next’s pages router', async () => {
    const answers = await askListener((request, response) => {
      response.end(String(readHandle(request)));
    });
    expect(answers).toEqual(EXPECTED);
  });

  test('Express', async () => {
    const app = express();
    app.get('/', (request, response) => {
      response.send(String(readHandle(request)));
    });
    expect(await askListener(app)).toEqual(EXPECTED);
  });

  test('Fastify', async () => {
    const app = fastify();
    app.get('/', async (request) => String(readHandle(request)));
    const answers = [WITH, WITHOUT, {}].map(
      async (init) => (await app.inject({ url: '/', ...init })).body,
    );
    expect(await Promise.all(answers)).toEqual(EXPECTED);
    await app.close();
  });

  test('Hono, by its context or its request', async () => {
    const app = new Hono();
    app.get('/', (context) => context.text(String(readHandle(context))));
    app.get('/req', (context) => context.text(String(readHandle(context.req))));
    for (const path of ['/', '/req']) {
      expect(await ask(async (init) => app.request(path, init))).toEqual(EXPECTED);
    }
  });

  test('the Web, and so of Next’s app router, Remix and the edge', async () => {
    const read = async (init: RequestInit) =>
      new Response(String(readHandle(new Request('https://shop.example.com', init))));
    expect(await ask(read)).toEqual(EXPECTED);
  });
});

describe('the handle of a browser', () => {
  test('is read from bare headers, from text, and from what Next calls cookies()', () => {
    const jar = new Map([['service_handle', { name: 'service_handle', value: HANDLE }]]);
    const other = new Map([['cookie', { name: 'cookie', value: 'x' }]]);
    for (const source of [
      new Headers(WITH.headers),
      WITH.headers,
      { Cookie: COOKIE },
      COOKIE,
      jar,
    ]) {
      expect(readHandle(source)).toBe(HANDLE);
    }
    for (const source of [new Headers(), {}, '', new Map(), other]) {
      expect(readHandle(source)).toBe(null);
    }
  });

  test.each([null, undefined, Promise.resolve(new Map())])('is not looked for in %o', (source) => {
    expect(() => readHandle(source as unknown as string)).toThrow('await cookies()');
  });

  test('is handed on as it is, unless the service could not take it', () => {
    expect(readHandle('service_handle=not%20one; service_handle=second')).toBe('not%20one');
    expect(readHandle('service_handle=a=b')).toBe('a=b');
    expect(readHandle(`service_handle=${'x'.repeat(4_096)}`)).toHaveLength(4_096);
    for (const value of ['', ' ', 'x'.repeat(4_097)]) {
      expect(readHandle(`service_handle=${value}`)).toBe(null);
    }
  });
});
