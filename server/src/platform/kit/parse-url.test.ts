import { describe, expect, test } from 'vitest';
import { isFromThisMachine, parseUrl } from './parse-url.ts';

test('a text that is no URL gives none', () => {
  expect(parseUrl('example.com')).toBeUndefined();
  expect(parseUrl('https://')).toBeUndefined();
});

test('letters outside of ASCII are understood, however often it is called', () => {
  const text = 'https://bücher.example/über';
  for (let n = 0; n < 20_000; n += 1)
    expect(parseUrl(text)?.hostname).toBe('xn--bcher-kva.example');
});

describe('a request is from this machine', () => {
  const from = (ip: string, headers: Parameters<typeof isFromThisMachine>[0]['headers']) =>
    isFromThisMachine({ ip, headers });

  test.each([
    ['127.0.0.1', '127.0.0.1:8080'],
    ['::1', '[::1]:8080'],
    ['::ffff:127.0.0.1', 'localhost:8080'],
    ['127.0.0.1', 'localhost'],
  ])('%s asking for %s', (ip, host) => {
    expect(from(ip, { host })).toBe(true);
  });

  test.each([
    ['192.0.2.7', 'localhost:8080'],
    ['10.0.0.1', '127.0.0.1:8080'],
    ['127.0.0.1', 'refer.example.com'],
    ['127.0.0.1', 'localhost.example.com'],
    ['127.0.0.1', '127.0.0.1.example.com'],
    ['127.0.0.1', ''],
    ['127.0.0.1.example.com', 'localhost'],
  ])('not %s asking for %s', (ip, host) => {
    expect(from(ip, { host })).toBe(false);
  });

  test('not without a host, and not through a proxy', () => {
    expect(from('127.0.0.1', {})).toBe(false);
    const host = 'localhost:8080';
    expect(from('127.0.0.1', { host, 'x-forwarded-for': '127.0.0.1' })).toBe(false);
    expect(from('127.0.0.1', { host, forwarded: 'for=127.0.0.1' })).toBe(false);
  });
});
