import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * `public`: reachable by everybody. `excepted`: in a network that the operator opened, where http
 * and private addresses are allowed. `refused`: everything else, including invalid addresses.
 */
type Judgement = 'public' | 'excepted' | 'refused';

export type Scheme = 'https' | 'http';

export interface AddressRules {
  judge(address: string): Judgement;
}

/** This host, private, shared, link-local, documentation and tests, multicast, reserved. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // A cloud's metadata service on an address that looks public.
  '168.63.129.16/32',
];

/**
 * All global addresses. IPv4 in IPv6 (mapped, compatible, NAT64), ULA and link-local are excluded.
 */
const GLOBAL_V6 = ['2000::/3'];

/** In `GLOBAL_V6` but not public: Teredo and other protocols, documentation, 6to4. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/**
 * The addresses that webhooks may connect to. `allowedCidrs` is WEBHOOK_ALLOWED_CIDRS, already
 * checked. An exception applies to addresses as written: 127.0.0.0/8 does not allow
 * ::ffff:127.0.0.1.
 */
export function createAddressRules(allowedCidrs: readonly string[]): AddressRules {
  const exceptions = networksOf(allowedCidrs);
  const notPublic = networksOf([...NOT_PUBLIC_V4, ...NOT_PUBLIC_V6]);
  const global = networksOf(GLOBAL_V6);
  return {
    judge(address) {
      // A zone (fe80::1%eth0) names one of this machine's own links.
      const family = isIPv4(address)
        ? 'ipv4'
        : isIPv6(address) && !address.includes('%')
          ? 'ipv6'
          : null;
      if (family === null) return 'refused';
      if (exceptions[family].check(address, family)) return 'excepted';
      if (notPublic[family].check(address, family)) return 'refused';
      return family === 'ipv4' || global.ipv6.check(address, family) ? 'public' : 'refused';
    },
  };
}

/**
 * Names the setting that allows it, but not the addresses: the caller may not be allowed to see
 * their network.
 */
export const NOT_PUBLIC =
  'The host has an address that is not public. The operator of this service can allow its network with the setting WEBHOOK_ALLOWED_CIDRS, see /docs/webhooks#where-webhooks-may-go';

/**
 * Why a host with these addresses may not be called; null if it may. One refused address is enough.
 */
export function refuseAddresses(
  addresses: readonly string[],
  scheme: Scheme,
  rules: AddressRules,
): string | null {
  const judgements = addresses.map((address) => rules.judge(address));
  if (judgements.includes('refused')) return NOT_PUBLIC;
  if (scheme === 'http' && judgements.includes('public'))
    return 'The URL must begin with https://.';
  return null;
}

/** One list per family: a common list would match mapped addresses with IPv4 networks. */
function networksOf(cidrs: readonly string[]): Record<'ipv4' | 'ipv6', BlockList> {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [network = '', bits = ''] = cidr.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    lists[family].addSubnet(network, Number(bits), family);
  }
  return lists;
}
