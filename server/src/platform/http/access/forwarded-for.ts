import { isIP } from 'node:net';

/** Proxies are few. What is further left is what a client wrote. */
const ENTRIES_MAX = 20;

const UNKNOWN = 'unknown';

/**
 * What can be believed of an `X-Forwarded-For`: its addresses from the right, up to the first entry that
 * is none, which stays as `unknown`: it is nobody's address, least of all the proxy's. Some proxies add
 * the port.
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
