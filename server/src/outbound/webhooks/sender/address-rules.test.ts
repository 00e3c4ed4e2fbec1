import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../test/rounds.ts';
import { readEndpointUrl } from '../endpoints/endpoint-url.ts';
import { createAddressRules, refuseAddresses } from './address-rules.ts';

const rules = createAddressRules([]);

/** Section 17 as numbers: first address of the block and its prefix length. */
const BLOCKS_V4: readonly [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
  [0xa83f8110, 32],
];
const isInBlock = (value: number) =>
  BLOCKS_V4.some(([first, bits]) => {
    const size = 2 ** (32 - bits);
    return value >= first && value < first + size;
  });

const bytesOf = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
const dotted = (value: number) => bytesOf(value).join('.');
const hex = (value: number) => value.toString(16);
const groups = (value: number) => `${hex(value >>> 16)}:${hex(value & 0xffff)}`;

const anyV4 = fc.integer({ min: 0, max: 0xffffffff });
const refusedV4 = fc
  .tuple(
    fc.constantFrom(...BLOCKS_V4),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  )
  .map(([[first, bits], part]) => first + Math.floor(part * 2 ** (32 - bits)));

test('an IPv4 address is public exactly when no block of the list has it', () => {
  fc.assert(
    fc.property(fc.oneof(anyV4, refusedV4), (value) => {
      expect(rules.judge(dotted(value))).toBe(isInBlock(value) ? 'refused' : 'public');
    }),
    { numRuns: rounds(500, 2_000) },
  );
});

test('the first and the last address of every IPv4 block are refused', () => {
  for (const [first, bits] of BLOCKS_V4) {
    const last = first + 2 ** (32 - bits) - 1;
    expect([first, last].map((value) => rules.judge(dotted(value)))).toEqual([
      'refused',
      'refused',
    ]);
    for (const beside of [first - 1, last + 1]) {
      if (beside < 0 || beside > 0xffffffff || isInBlock(beside)) continue;
      expect(rules.judge(dotted(beside))).toBe('public');
    }
  }
});

/** Every notation of an IPv4 address as the host of a URL. */
const WRITTEN_V4: Record<string, (value: number) => string> = {
  dotted,
  decimal: String,
  hexadecimal: (value) => `0x${hex(value)}`,
  octal: (value) => `0${value.toString(8)}`,
  'octal parts': (value) =>
    bytesOf(value)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'hexadecimal parts': (value) =>
    bytesOf(value)
      .map((byte) => `0X${hex(byte)}`)
      .join('.'),
  'two parts': (value) => `${value >>> 24}.${value & 0xffffff}`,
  'three parts': (value) => `${value >>> 24}.${(value >>> 16) & 255}.${value & 0xffff}`,
  'a dot at the end': (value) => `${dotted(value)}.`,
  'full-width digits': (value) =>
    dotted(value).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'percent signs': (value) => dotted(value).replace(/\d/g, (digit) => `%3${digit}`),
};

test.each(Object.entries(WRITTEN_V4))(
  'a refused IPv4 address is refused when it is written as %s',
  (_name, write) => {
    fc.assert(
      fc.property(refusedV4, (value) => {
        const read = readEndpointUrl(`https://${write(value)}/hook`);
        expect(read).toMatchObject({ ok: true, url: { host: dotted(value) } });
        expect(rules.judge(read.ok ? read.url.host : '')).toBe('refused');
      }),
    );
  },
);

/** Every kind of IPv6 address that contains an IPv4 address. */
const CARRIERS: Record<string, (value: number) => string> = {
  mapped: (value) => `::ffff:${dotted(value)}`,
  'mapped in hexadecimal': (value) => `::ffff:${groups(value)}`,
  'mapped in full': (value) => `0:0:0:0:0:FFFF:${groups(value)}`,
  translated: (value) => `::ffff:0:${groups(value)}`,
  compatible: (value) => `::${groups(value)}`,
  NAT64: (value) => `64:ff9b::${dotted(value)}`,
  'local NAT64': (value) => `64:ff9b:1::${groups(value)}`,
  '6to4': (value) => `2002:${groups(value)}::1`,
  Teredo: (value) => `2001:0:4136:e378:8000:63bf:${groups(~value >>> 0)}`,
};

test.each(Object.entries(CARRIERS))(
  'no IPv4 address, public or not, is reached as %s IPv6',
  (_name, write) => {
    fc.assert(
      fc.property(fc.oneof(anyV4, refusedV4), (value) => {
        expect(rules.judge(write(value))).toBe('refused');
        const read = readEndpointUrl(`https://[${write(value)}]/hook`);
        expect(rules.judge(read.ok ? read.url.host : 'unread')).toBe('refused');
        expect(read.ok).toBe(true);
      }),
    );
  },
);

test('an IPv6 address is public exactly when it is global and in none of the four blocks', () => {
  const blocks: readonly [bigint, bigint][] = [
    [0x20010000n << 96n, 23n],
    [0x20010db8n << 96n, 32n],
    [0x20020000n << 96n, 16n],
    [0x3fff0000n << 96n, 20n],
  ];
  const isIn = (value: bigint, [first, bits]: readonly [bigint, bigint]) =>
    value >> (128n - bits) === first >> (128n - bits);
  const write = (value: bigint) =>
    Array.from({ length: 8 }, (_, n) =>
      ((value >> BigInt(112 - 16 * n)) & 0xffffn).toString(16),
    ).join(':');
  const anywhere = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
  const nearby = fc
    .tuple(fc.constantFrom(...blocks), fc.bigInt({ min: 0n, max: (1n << 110n) - 1n }), fc.nat(3))
    .map(
      ([[first, bits], rest, beside]) => first + (BigInt(beside) << (128n - bits)) + (rest >> 6n),
    );
  fc.assert(
    fc.property(fc.oneof(anywhere, nearby), (value) => {
      const isPublic = value >> 125n === 1n && !blocks.some((block) => isIn(value, block));
      expect(rules.judge(write(value))).toBe(isPublic ? 'public' : 'refused');
    }),
    { numRuns: rounds(500, 2_000) },
  );
});

test.each([
  ['::', 'refused'],
  ['::1', 'refused'],
  ['fc00::1', 'refused'],
  ['fdff:ffff::1', 'refused'],
  ['fe80::1', 'refused'],
  ['fe80::1%eth0', 'refused'],
  ['2606:4700::1111%eth0', 'refused'],
  ['fec0::1', 'refused'],
  ['ff02::1', 'refused'],
  ['100::1', 'refused'],
  ['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'refused'],
  ['4000::', 'refused'],
  ['2001:1ff:ffff::', 'refused'],
  ['2001:200::', 'public'],
  ['2606:4700:4700::1111', 'public'],
  ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', 'public'],
  ['2001:db8::', 'refused'],
  ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'refused'],
  ['2001:db9::', 'public'],
  ['2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'refused'],
  ['2003::', 'public'],
  ['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'public'],
  ['3fff::', 'refused'],
  ['3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'refused'],
  ['3fff:1000::', 'public'],
  ['169.254.169.254', 'refused'],
  ['168.63.129.16', 'refused'],
  ['168.63.129.17', 'public'],
  ['example.com', 'refused'],
  ['0177.0.0.1', 'refused'],
  ['2130706433', 'refused'],
  ['', 'refused'],
])('%s is %s', (address, judgement) => {
  expect(rules.judge(address)).toBe(judgement);
});

test('exceptions open their networks and nothing beside them (D-WH-1)', () => {
  const opened = createAddressRules([
    '10.1.0.0/16',
    'fd00:1::/32',
    '93.184.216.34/32',
    'fe80::/10',
  ]);
  expect(opened.judge('10.1.255.255')).toBe('excepted');
  expect(opened.judge('10.2.0.0')).toBe('refused');
  expect(opened.judge('fd00:1:ffff::1')).toBe('excepted');
  expect(opened.judge('fd00:2::1')).toBe('refused');
  expect(opened.judge('93.184.216.34')).toBe('excepted');
  expect(opened.judge('93.184.216.35')).toBe('public');
  expect(opened.judge('fe80::1%eth0')).toBe('refused');
});

test('an exception for IPv4 opens no IPv6 address that carries it', () => {
  const opened = createAddressRules(['127.0.0.0/8', '0.0.0.0/0']);
  fc.assert(
    fc.property(anyV4, fc.constantFrom(...Object.values(CARRIERS)), (value, write) => {
      expect(opened.judge(dotted(value))).toBe('excepted');
      expect(opened.judge(write(value))).toBe('refused');
    }),
  );
});

test('one refused address refuses them all, in whatever place', () => {
  const addresses = ['93.184.216.34', '2606:4700:4700::1111'];
  expect(refuseAddresses(addresses, 'https', rules)).toBeNull();
  for (const at of [0, 1, 2]) {
    const refusal = refuseAddresses(addresses.toSpliced(at, 0, '10.0.0.1'), 'https', rules);
    expect(refusal).toBe(
      'The host has an address that is not public. The operator of this service can allow its network with the setting WEBHOOK_ALLOWED_CIDRS, see /docs/webhooks#where-webhooks-may-go',
    );
    // The address may belong to a network that the caller cannot see.
    expect(refusal).not.toContain('10.0.0.1');
  }
});

test('http is for excepted addresses only, all of them (D-WH-1)', () => {
  const opened = createAddressRules(['127.0.0.0/8']);
  expect(refuseAddresses(['127.0.0.1', '127.0.0.2'], 'http', opened)).toBeNull();
  expect(refuseAddresses(['127.0.0.1', '93.184.216.34'], 'http', opened)).toMatch('https://');
  expect(refuseAddresses(['93.184.216.34'], 'http', opened)).toMatch('https://');
  expect(refuseAddresses(['127.0.0.1', '93.184.216.34'], 'https', opened)).toBeNull();
});
