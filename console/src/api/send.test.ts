import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { send, whenSignedOut } from './send.ts';

const answers: (number | 'lost')[] = [];
const sent: (string | null)[] = [];

beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(request.headers.get('Idempotency-Key'));
    const answer = answers.shift() ?? 200;
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    return new Response('{}', { status: answer });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  answers.length = 0;
  sent.length = 0;
});
const post = (body: object) =>
  send(
    new Request('https://example.com/v1/benefit-rules', {
      method: 'POST',
      body: JSON.stringify(body),
    }),
  );

it('what got no answer is sent again under its key, what was answered under another', async () => {
  answers.push('lost', 503, 200, 200);
  await expect(post({ name: 'a' })).rejects.toMatchObject({ status: 0, code: 'OFFLINE' });
  await post({ name: 'a' });
  await post({ name: 'a' });
  await post({ name: 'a' });
  expect(sent[0]).toMatch(/^console-[0-9a-f]{32}$/);
  expect(sent.slice(1, 3)).toEqual([sent[0], sent[0]]);
  expect(sent[3]).not.toBe(sent[0]);
});

it('what is changed meanwhile is something else', async () => {
  answers.push('lost');
  await expect(post({ name: 'a' })).rejects.toThrow('Check before you try again');
  await post({ name: 'b' });
  expect(sent[1]).not.toBe(sent[0]);
});

it('reading takes no key, and a caller may bring its own', async () => {
  await send(new Request('https://example.com/v1/rewards'));
  const headers = { 'Idempotency-Key': 'mine' };
  await send(new Request('https://example.com/v1/x', { method: 'POST', headers, body: '{}' }));
  expect(sent).toEqual([null, 'mine']);
});

it('tells when nobody is signed in any more', async () => {
  const listener = vi.fn();
  whenSignedOut(listener);
  answers.push(403, 401);
  await send(new Request('https://example.com/v1/rewards'));
  expect(listener).not.toHaveBeenCalled();
  await send(new Request('https://example.com/v1/rewards'));
  expect(listener).toHaveBeenCalledOnce();
});
