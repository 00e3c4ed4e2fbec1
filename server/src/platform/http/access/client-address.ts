import { isIP, isIPv6 } from 'node:net';

/**
 * The subject of a limit per address: an IPv4 address, or the /64 of an IPv6 address, because the
 * owner of one address has all of them.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = (address.split('%', 1)[0] as string).split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '').toLowerCase()).join(':');
}

/** Proxies are few. Entries further left were written by the client. */
const ENTRIES_MAX = 20;

const UNKNOWN = 'unknown';

/**
 * The trustworthy part of an `X-Forwarded-For`: its addresses from the right, up to the first entry
 * that is not an address, which becomes `unknown`: it is nobody's address, least of all the
 * proxy's. Some proxies add the port.
 */
export function readForwardedFor(header: string): string {
  const entries: string[] = [];
  for (const entry of header.split(',').slice(-ENTRIES_MAX).reverse()) {
    const address = toAddress(entry.trim());
    entries.unshift(address ?? UNKNOWN);
    if (address === null) break;
  }
  return entries.join(', ');
}

function toAddress(entry: string): string | null {
  const bare =
    /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1');
  return isIP(bare) === 0 || bare.includes('%') ? null : bare;
}
