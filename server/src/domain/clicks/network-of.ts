import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The network of an address: /24 for IPv4, /48 for IPv6. Wide enough not to identify a household,
 * narrow enough to detect a flood of clicks. Null if the text is not an address.
 */
export function networkOf(address: string): string | null {
  const ip = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(ip)) return `${ip.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIPv6(ip)) return `${groupsOf(ip).slice(0, 3).join(':')}::/48`;
  return null;
}

/** All eight groups of an IPv6 address, without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.replace(/%.*/, '').split('::');
  const before = readGroups(head);
  const after = readGroups(tail ?? '');
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after];
}

function readGroups(text: string): string[] {
  if (text === '') return [];
  // An IPv4 address at the end fills the last two groups, whose value is never used.
  const groups = text.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split(':');
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}
