import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkOf } from '../../clicks/read-visit.ts';
import { readNetworks } from './read-network.ts';

describe('a listed network', () => {
  test.each([
    ['203.0.113.7', ['203.0.113.0/24']],
    ['203.0.113.7/32', ['203.0.113.0/24']],
    ['203.0.113.0/24', ['203.0.113.0/24']],
    ['203.0.113.0/23', ['203.0.112.0/24', '203.0.113.0/24']],
    ['2001:db8::1', ['2001:db8:0::/48']],
    ['2001:db8:0:1::/64', ['2001:db8:0::/48']],
    ['2001:db8:1::/47', ['2001:db8:0::/48', '2001:db8:1::/48']],
  ])('%s is %j', (text, networks) => {
    expect(readNetworks(text)).toEqual(networks);
  });

  test.each([
    '',
    'shop',
    '203.0.113',
    '203.0.113.0/',
    '203.0.113.0/33',
    '203.0.113.0/024',
    '2001:db8::/129',
    'fe80::1%eth0',
  ])('%j is none', (text) => {
    expect(readNetworks(text)).toBeNull();
  });

  test.each(['203.0.0.0/15', '2001:db8::/39', '0.0.0.0/0', '::/0'])('%s is too wide', (text) => {
    expect(readNetworks(text)).toBeNull();
  });

  test('contains every address of its range, and is compared as addresses are', () => {
    const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 16, max: 32 }));
    fc.assert(
      fc.property(v4, ([address, size]) => {
        const networks = readNetworks(`${address}/${size}`) ?? [];
        expect(networks).toContain(networkOf(address));
        for (const network of networks) {
          expect(networkOf(network.replace('.0/24', '.9'))).toBe(network);
        }
        expect(networks.length).toBe(2 ** Math.max(0, 24 - size));
      }),
    );
    fc.assert(
      fc.property(fc.ipV6(), fc.integer({ min: 40, max: 128 }), (address, size) => {
        const networks = readNetworks(`${address}/${size}`);
        // Addresses that contain one of the other family belong to that.
        if (networks === null) return;
        expect(networks).toContain(networkOf(address));
      }),
    );
  });
});
