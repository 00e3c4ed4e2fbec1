type Environment = 'sandbox' | 'live';

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Why the service would refuse an address as a landing page; undefined if it is valid or empty. */
export function landingPageFault(text: string, environment: Environment): string | undefined {
  const address = text.trim();
  if (address === '') return undefined;
  const isWhole = /^https?:\/\//i.test(address) && !/[\s\\]/.test(address);
  if (!isWhole || !URL.canParse(address)) return 'A full address, such as https://example.com';
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return 'Without a password in it';
  if (protocol === 'https:' || environment === 'sandbox' || LOOPBACK.test(hostname)) {
    return undefined;
  }
  return 'Live programs need https';
}

/**
 * The origin of a landing page, which must be allowed to call the service; null for an invalid
 * address.
 */
export function originOf(address: string): string | null {
  return URL.canParse(address.trim()) ? new URL(address.trim()).origin : null;
}
