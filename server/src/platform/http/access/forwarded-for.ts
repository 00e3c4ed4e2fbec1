import { isIP } from 'node:net';

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
