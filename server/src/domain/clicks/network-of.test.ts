import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf } from './network-of.ts';

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
