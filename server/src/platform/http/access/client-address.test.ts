import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf, readForwardedFor } from './client-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7, 10.0.0.1', '203.0.113.7, 10.0.0.1'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::1]:443, 2001:db8::2', '2001:db8::1, 2001:db8::2'],
  ['1.1.1.1, <script>, 10.0.0.1', 'unknown, 10.0.0.1'],
  ['1.1.1.1, _hidden', 'unknown'],
  ['fe80::1%eth0', 'unknown'],
  ['', 'unknown'],
])('of %j, %j is believed', (header, believed) => {
  expect(readForwardedFor(header)).toBe(believed);
});

test('only addresses are left, and not many', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (entries) => {
      const believed = readForwardedFor(entries.join(',')).split(', ');
      expect(believed.every((one) => isIP(one) !== 0 || one === 'unknown')).toBe(true);
      expect(believed.length).toBeLessThanOrEqual(20);
    }),
  );
});
