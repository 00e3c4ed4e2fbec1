import { readHandle } from './read-handle.ts';
import { type HeadersLike, readHeader } from './read-headers.ts';

const COOKIE = 'service_handle';
const HANDLE = /^hdl_[0-9a-z]{26}$/;
/** How long the service keeps a handle at least, and at most. */
const DAY_SECONDS = 86_400;
const DAYS_MIN = 90;
const DAYS_MAX = 400;
/** Without a `;`, a comma or a space, nothing can be added to the cookie. */
const DOMAIN = /^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

export interface RenewOptions {
  /** The landing script's `data-cookie-domain`, if the page has one: otherwise there would be two cookies. */
  readonly domain?: string;
  /** How long browsers keep the cookie (default 90 days, 400 at most). */
  readonly maxAgeDays?: number;
  /** False only for pages over plain http, such as those of your own machine (default true). */
  readonly secure?: boolean;
}

/** What was asked for, and the answer so far. */
export interface Exchange {
  readonly method: string | undefined;
  readonly headers: HeadersLike;
  /** Cookies that the answer sets. */
  readonly setCookies: readonly string[];
  /** Empty if it has none. */
  readonly cacheControl: string;
}

/** Headers to add to an answer, or to replace in it. */
export interface Renewal {
  readonly setCookie: string;
  readonly cacheControl: string;
}

/** The cookie without its value, from options that are checked once. */
export function cookieAttributes(options: RenewOptions = {}): string {
  const { domain, maxAgeDays = DAYS_MIN, secure = true } = options;
  if (!(maxAgeDays > 0 && maxAgeDays <= DAYS_MAX)) {
    throw new TypeError(`maxAgeDays is more than 0 and at most ${DAYS_MAX}.`);
  }
  if (domain !== undefined && !DOMAIN.test(domain)) {
    throw new TypeError('domain is the name of a host, such as example.com.');
  }
  const maxAge = Math.floor(maxAgeDays * DAY_SECONDS);
  const scope = domain === undefined ? '' : `; Domain=${domain}`;
  return `Path=/; Max-Age=${maxAge}; SameSite=Lax${scope}${secure ? '; Secure' : ''}`;
}

/**
 * How the answer to a page's request keeps the browser's handle; null if there is nothing to keep.
 * Only a well-formed handle that the browser sent is sent back: a visitor without one gets none. An
 * answer that sets the cookie itself, for example to delete it, is left alone.
 */
export function decideRenewal(exchange: Exchange, attributes: string): Renewal | null {
  if (!isPage(exchange)) return null;
  const handle = readHandle({ headers: exchange.headers });
  if (handle === null || !HANDLE.test(handle)) return null;
  if (exchange.setCookies.some((cookie) => cookie.trimStart().startsWith(`${COOKIE}=`)))
    return null;
  return {
    setCookie: `${COOKIE}=${handle}; ${attributes}`,
    cacheControl: forOneVisitor(exchange.cacheControl),
  };
}

/** Browsers say what they load; older ones only what they accept. Scripts and pictures need no cookie. */
function isPage({ method, headers }: Exchange): boolean {
  if (method !== 'GET') return false;
  const destination = readHeader(headers, 'sec-fetch-dest');
  if (destination !== null) return destination === 'document';
  return /\btext\/html\b/i.test(readHeader(headers, 'accept') ?? '');
}

/**
 * A shared cache would give this visitor's handle to others. An answer that says nothing is not to be
 * reused: its route may add what it wants only later, as in Next, and would then be overruled.
 */
function forOneVisitor(cacheControl: string): string {
  const directives = cacheControl
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !/^(public|private|s-maxage)\b/i.test(one));
  if (cacheControl.trim() === '') directives.push('no-cache');
  return ['private', ...directives].join(', ');
}
