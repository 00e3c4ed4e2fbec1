import { isIPv4, isIPv6 } from 'node:net';
import { parseUrl } from '../../platform/kit/parse-url.ts';
import type { Utm } from './schema.ts';

const URL_CHARS_MAX = 2_048;
const UTM_CHARS_MAX = 255;

/** What is stored about the landing page and the referring page. */
export interface Visit {
  readonly landingUrl: string | null;
  readonly referrerOrigin: string | null;
  readonly utm: Utm;
}

/**
 * Queries and fragments often contain personal data, so only the named campaign fields are stored.
 * An unreadable address must not lose a click.
 */
export function readVisit(url: string | null, referrer: string | null): Visit {
  const page = parseWebAddress(url);
  const read = (name: string) => cleanText(page?.searchParams.get(`utm_${name}`) ?? '');
  return {
    landingUrl: page ? (page.origin + page.pathname).slice(0, URL_CHARS_MAX) : null,
    referrerOrigin: parseWebAddress(referrer)?.origin ?? null,
    utm: {
      source: read('source'),
      medium: read('medium'),
      campaign: read('campaign'),
      term: read('term'),
      content: read('content'),
    },
  };
}

function parseWebAddress(text: string | null): URL | undefined {
  const url = text === null ? undefined : parseUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** Removes control characters, which a percent-encoded value can contain; null when nothing is left. */
function cleanText(text: string): string | null {
  if (text === '') return null;
  const shown = [...text.replace(/\p{Cc}/gu, '').trim()].slice(0, UTM_CHARS_MAX).join('');
  return shown === '' ? null : shown;
}

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
