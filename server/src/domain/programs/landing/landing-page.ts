import type { Environment } from '../../../platform/http/access/principal.ts';
import { parseUrl } from '../../../platform/kit/parse-url.ts';

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** An address as a browser would parse it; undefined if a browser would silently repair it, or if it has a password. */
function parseAddress(text: string): URL | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !/^https?:\/\//i.test(text)) return undefined;
  const url = parseUrl(text);
  return url?.username === '' && url.password === '' ? url : undefined;
}

export function isHttpsAddress(text: string): boolean {
  return parseAddress(text)?.protocol === 'https:';
}

/** https everywhere; http on a loopback host, or anywhere in a sandbox. */
export function isLandingPageAllowed(text: string, environment: Environment): boolean {
  const url = parseAddress(text);
  if (url?.protocol !== 'http:') return url !== undefined;
  return environment === 'sandbox' || LOOPBACK.test(url.hostname);
}
