import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { renewHandle, renewHandleHook, renewHandleMiddleware } from '../src/renew-handle.ts';

const HANDLE = 'hdl_0123456789abcdefghjkmnpqrs';
const RENEWED = `service_handle=${HANDLE}; Path=/; Max-Age=7776000; SameSite=Lax; Secure`;
const page = (cookie: string) => ({ headers: { accept: 'text/html', cookie } });
const VISITOR = page(`theme=dark; service_handle=${HANDLE}`);
const STRANGER = page('theme=dark');
const OWN = 'session=1; HttpOnly';

const read = ({ status, headers }: Response) => ({
  status,
  cookies: headers.getSetCookie(),
  cacheControl: headers.get('cache-control'),
});
const expected = (status: number, cacheControl: string) => ({
  status,
  cookies: [OWN, RENEWED],
  cacheControl,
});

async function ask(listener: RequestListener, path: string, init: RequestInit) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return read(await fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect: 'manual' }));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('a visitor’s handle is kept, beside the cookies of the route, by', () => {
  const app = express();
  app.use(renewHandleMiddleware());
  app.get('/', (_request, response) => {
    response.setHeader('set-cookie', OWN);
    response.set('cache-control', 'public, max-age=0').send('Welcome');
  });
  app.get('/moved', (_request, response) => {
    response.setHeader('set-cookie', [OWN]);
    response.redirect('/');
  });

  test('Express', async () => {
    expect(await ask(app, '/', VISITOR)).toEqual(expected(200, 'private, max-age=0'));
    expect(await ask(app, '/moved', VISITOR)).toEqual(expected(302, 'private, no-cache'));
    const others = await ask(app, '/', STRANGER);
    expect(others).toEqual({ status: 200, cookies: [OWN], cacheControl: 'public, max-age=0' });
  });

  const FORMS: Readonly<Record<string, unknown[]>> = {
    'an object': [{ 'Set-Cookie': OWN, 'Cache-Control': 'public' }],
    'a message and an object': ['Fine', { 'set-cookie': [OWN], 'cache-control': 'public' }],
    'a list of names and values': [['Set-Cookie', OWN, 'Cache-Control', 'public']],
    'a list of pairs': [
      [
        ['Set-Cookie', OWN],
        ['Cache-Control', 'public'],
      ],
    ],
  };
  test.each(Object.entries(FORMS))('node:http with headers in %s', async (_form, args) => {
    const middleware = renewHandleMiddleware();
    const listener: RequestListener = (request, response) =>
      middleware(request, response, () => {
        (response.writeHead as (...all: unknown[]) => unknown)(200, ...args);
        response.end('Welcome');
      });
    expect(await ask(listener, '/', VISITOR)).toEqual(expected(200, 'private'));
  });

  test('Fastify', async () => {
    const server = fastify();
    server.addHook('onSend', renewHandleHook());
    server.get('/', async (_request, reply) => {
      reply.header('set-cookie', OWN).header('cache-control', 'public').type('text/html');
      return 'Welcome';
    });
    const answers = [VISITOR, STRANGER].map(async (init) => {
      const { headers } = await server.inject({ url: '/', ...init });
      return [headers['set-cookie'], headers['cache-control']];
    });
    expect(await Promise.all(answers)).toEqual([
      [[OWN, RENEWED], 'private'],
      [OWN, 'public'],
    ]);
    await server.close();
  });

  test('Hono', async () => {
    const hono = new Hono();
    hono.use(async (context, next) => {
      await next();
      context.res = renewHandle(context.req.raw, context.res);
    });
    hono.get('/', (context) => context.html('Welcome', 200, { 'set-cookie': OWN }));
    const { cookies, cacheControl } = read(await hono.request('/', VISITOR));
    expect([cookies.includes(OWN), cookies.includes(RENEWED), cacheControl]).toEqual([
      true,
      true,
      'private, no-cache',
    ]);
  });

  test('a function from Request to Response, also if its headers cannot be changed', async () => {
    const request = new Request('https://shop.test/', VISITOR);
    const changeable = new Response('Welcome', { headers: { 'set-cookie': OWN } });
    expect(renewHandle(request, changeable)).toBe(changeable);
    expect(read(changeable)).toEqual(expected(200, 'private, no-cache'));
    const moved = renewHandle(request, Response.redirect('https://shop.test/in'), {
      secure: false,
    });
    expect(moved.headers.get('location')).toBe('https://shop.test/in');
    expect(read(moved)).toEqual({
      status: 302,
      cookies: [RENEWED.replace('; Secure', '')],
      cacheControl: 'private, no-cache',
    });
  });
});
