import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUrl } from '../../../../test/any-text.ts';
import { readEndpointUrl, URL_LENGTH_MAX } from './endpoint-url.ts';

const hostOf = (text: string) => {
  const read = readEndpointUrl(text);
  return read.ok ? read.url.host : read.issue;
};
const issueOf = (text: string) => {
  const read = readEndpointUrl(text);
  return read.ok ? null : read.issue;
};

test('a URL is read into what is connected to and what is asked for', () => {
  expect(readEndpointUrl('https://Hooks.Example.com:8443/a/b?c=d#e')).toEqual({
    ok: true,
    url: {
      scheme: 'https',
      host: 'hooks.example.com',
      origin: 'https://hooks.example.com:8443',
      path: '/a/b?c=d',
    },
  });
  expect(readEndpointUrl('http://[::1]')).toEqual({
    ok: true,
    url: { scheme: 'http', host: '::1', origin: 'http://[::1]', path: '/' },
  });
});

test.each([
  ['http://2130706433/', '127.0.0.1'],
  ['http://0177.0.0.1/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://017700000001/', '127.0.0.1'],
  ['http://127.1/', '127.0.0.1'],
  ['http://127.0.0.1./', '127.0.0.1'],
  ['http://①②⑦.⓪.⓪.①/', '127.0.0.1'],
  ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['http://[0:0:0:0:0:0:0:1]/', '::1'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://例え.テスト/', 'xn--r8jz45g.xn--zckzah'],
  ['https:///example.com', 'example.com'],
  ['https://example.com\\@127.0.0.1/', 'example.com'],
  ['https://example.com:65535/', 'example.com'],
  ['https://intranet/', 'intranet'],
])('the host of %s is %s', (text, host) => {
  expect(hostOf(text)).toBe(host);
});

test.each([
  ['', 'This is not a URL.'],
  ['example.com/hook', 'This is not a URL.'],
  ['//example.com/hook', 'This is not a URL.'],
  ['https://', 'This is not a URL.'],
  ['https://?a', 'This is not a URL.'],
  ['https://:443/', 'This is not a URL.'],
  ['https://exa%00mple.com/', 'This is not a URL.'],
  ['https://example.com:65536/', 'This is not a URL.'],
  ['https://256.0.0.1/', 'This is not a URL.'],
  ['https://[fe80::1%25eth0]/', 'This is not a URL.'],
  ['https://[::1/', 'This is not a URL.'],
  ['https://example.com:0/', 'The port must not be 0.'],
  ['ftp://example.com/', 'The URL must begin with https://.'],
  ['file:///etc/passwd', 'The URL must begin with https://.'],
  ['javascript:alert(1)', 'The URL must begin with https://.'],
  ['unix:/var/run/docker.sock', 'The URL must begin with https://.'],
  ['https://user@example.com/', 'The URL must not contain a user or a password.'],
  ['https://:secret@example.com/', 'The URL must not contain a user or a password.'],
  ['https://example.com@127.0.0.1/', 'The URL must not contain a user or a password.'],
  [' https://example.com/', 'The URL must not contain spaces or control characters.'],
  ['https://exam\nple.com/', 'The URL must not contain spaces or control characters.'],
  ['https://example.com/a\u0000', 'The URL must not contain spaces or control characters.'],
])('%j is refused: %s', (text, issue) => {
  expect(issueOf(text)).toBe(issue);
});

test.each(['https://example.com./', 'https://./', 'https://.example.com/', 'https://a..b/'])(
  '%s has a dot too many',
  (text) => {
    expect(issueOf(text)).toMatch('dot');
  },
);

test('2,048 characters are enough, one more is not; counted as they are sent (D-WH-1)', () => {
  const start = 'https://example.com/';
  const fits = start + 'a'.repeat(URL_LENGTH_MAX - start.length);
  expect(issueOf(fits)).toBeNull();
  expect(issueOf(`${fits}a`)).toMatch('2048');
  expect(issueOf(start + 'ü'.repeat(1_000))).toMatch('2048');
});

test('any text is read or refused in words, and what is read says the same when read again', () => {
  const texts = fc.oneof(fc.string(), anyUrl());
  fc.assert(
    fc.property(texts, (text) => {
      const read = readEndpointUrl(text);
      if (read.ok) expect(readEndpointUrl(read.url.origin + read.url.path)).toEqual(read);
      else expect(read.issue).toMatch(/\.$/);
    }),
    { numRuns: 500 },
  );
});
