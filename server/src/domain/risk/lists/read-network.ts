import { isIPv4 } from 'node:net';
import { networkOf } from '../../clicks/read-visit.ts';

/** Ranges of more networks are refused: each is compared by itself. */
const NETWORKS_MAX = 256;

const FAMILIES = {
  v4: { bits: 32, network: 24, groupBits: 8 },
  v6: { bits: 128, network: 48, groupBits: 16 },
} as const;

/**
 * The networks, as `networkOf` writes them, that an address or a range is in or contains. Null for a text that is
 * neither, or a range of too many.
 */
export function readNetworks(text: string): readonly string[] | null {
  const [address = '', size, ...rest] = text.split('/');
  // The zone of a link belongs to one machine.
  const first = address.includes('%') ? null : networkOf(address);
  if (first === null || rest.length > 0) return null;
  if (size === undefined) return [first];
  const family = isIPv4(address) ? FAMILIES.v4 : FAMILIES.v6;
  // An IPv4 address in the notation of IPv6 has no size of its own family.
  if (family === FAMILIES.v6 && first.includes('.')) return null;
  if (!/^(0|[1-9]\d{0,2})$/.test(size) || Number(size) > family.bits) return null;
  const free = Math.max(0, family.network - Number(size));
  const count = 2 ** free;
  if (count > NETWORKS_MAX) return null;
  const start = toNumber(first, family) - (toNumber(first, family) % count);
  return Array.from({ length: count }, (_, index) => toNetwork(start + index, family));
}

type Family = (typeof FAMILIES)[keyof typeof FAMILIES];

/** The three leading groups of either family. */
function toNumber(network: string, { groupBits }: Family): number {
  const radix = groupBits === 8 ? 10 : 16;
  return groupsOf(network).reduce(
    (sum, group) => sum * 2 ** groupBits + Number.parseInt(group, radix),
    0,
  );
}

function groupsOf(network: string): string[] {
  return network.split(/[.:]/).slice(0, 3);
}

function toNetwork(number: number, { groupBits }: Family): string {
  const size = 2 ** groupBits;
  const groups = [2, 1, 0].map((place) => Math.floor(number / size ** place) % size);
  if (groupBits === 8) return `${groups.join('.')}.0/24`;
  return `${groups.map((group) => group.toString(16)).join(':')}::/48`;
}
