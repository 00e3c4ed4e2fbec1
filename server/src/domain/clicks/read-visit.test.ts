import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, anyUrl } from '../../../test/any-text.ts';
import { networkOf, readVisit } from './read-visit.ts';

const NONE = { source: null, medium: null, campaign: null, term: null, content: null };

test('of the page only origin, path and campaign are kept, of the referrer the origin (D-TOUCH-1)', () => {
  const url =
    'https://u:p@example.com/welcome?utm_source=blog&utm_medium=%20text%20&utm_campaign=&email=ada@example.com#token=1';
  expect(readVisit(url, 'https://blog.example.org/private/page?id=7')).toEqual({
    landingUrl: 'https://example.com/welcome',
    referrerOrigin: 'https://blog.example.org',
    utm: { ...NONE, source: 'blog', medium: 'text' },
  });
});

test.each([null, '', 'rubbish', '/welcome', 'javascript:alert(1)', 'android-app://com.example'])(
  'an address like %s is no address',
  (text) => {
    expect(readVisit(text, text)).toEqual({ landingUrl: null, referrerOrigin: null, utm: NONE });
  },
);

test('whatever comes, the outcome is short, storable, and holds neither query nor fragment', () => {
  const address = fc.oneof(
    anyText(),
    anyUrl(),
    anyText({ maxLength: 3_000 }).map((text) => {
      const value = encodeURIComponent(text.toWellFormed());
      return `https://example.com/${value}?utm_term=${value}#${value}`;
    }),
  );
  fc.assert(
    fc.property(address, address, (url, referrer) => {
      const { landingUrl, referrerOrigin, utm } = readVisit(url, referrer);
      expect((landingUrl ?? '').length).toBeLessThanOrEqual(2_048);
      expect(landingUrl ?? '').not.toMatch(/[?#]/);
      if (referrerOrigin !== null) expect(new URL(referrerOrigin).origin).toBe(referrerOrigin);
      for (const text of Object.values(utm)) {
        expect([...(text ?? '')].length).toBeLessThanOrEqual(255);
        expect(text ?? 'x').not.toBe('');
        expect((text ?? '').isWellFormed()).toBe(true);
        expect(text ?? '').not.toMatch(/\p{Cc}/u);
      }
    }),
  );
});

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['::FFFF:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:abcd:12::1', '2001:db8:abcd::/48'],
  ['2001:0DB8:00cd:0012:0:0:0:1', '2001:db8:cd::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['::', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['64:ff9b::203.0.113.77', '64:ff9b:0::/48'],
  ['unknown', null],
  ['203.0.113.77:4711', null],
  ['', null],
])('%s lies in %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('addresses share a network exactly when their first 24 or 48 bits agree', () => {
  const pairs = fc.tuple(fc.ipV6(), fc.ipV6());
  const bits = (address: string) => {
    const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
    const head = (groups[0] as string).split(':').filter(Boolean);
    const tail = (groups[1] ?? '').split(':').filter(Boolean);
    const zeros = groups.length === 1 ? 0 : 8 - head.length - tail.length;
    return [...head, ...new Array<string>(zeros).fill('0'), ...tail].slice(0, 3).join(':');
  };
  fc.assert(
    fc.property(pairs, ([a, b]) => {
      fc.pre(!/^::ffff:\d+\./i.test(a) && !/^::ffff:\d+\./i.test(b));
      expect(networkOf(a) === networkOf(b)).toBe(bits(a) === bits(b));
      expect(networkOf(a)).toBe(`${bits(a)}::/48`);
    }),
  );
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), (a, b) => {
      const first = (address: string) => address.split('.').slice(0, 3).join('.');
      expect(networkOf(a) === networkOf(b)).toBe(first(a) === first(b));
    }),
  );
});
