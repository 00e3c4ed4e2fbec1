import { type HeadersLike, readHeader } from './read-headers.ts';

const COOKIE = 'service_handle';
/** The service takes no longer ones; a browser's own are 30 characters long. */
const CHARS_MAX = 4_096;

/** What Next hands out as `await cookies()`. */
interface CookieStore {
  get(name: string): { readonly value: string } | undefined;
  has(name: string): boolean;
}

/**
 * Where a cookie can be read from: a request of Express, Fastify, Next or `node:http`, the `Request`
 * of the Web, Hono's context or its `req`, bare headers, Next's `await cookies()`, or the text of `Cookie`.
 */
export type HandleSource =
  | string
  | HeadersLike
  | CookieStore
  | { readonly headers: HeadersLike }
  | { readonly raw: { readonly headers: HeadersLike } }
  | { readonly req: { readonly raw: { readonly headers: HeadersLike } } };

/**
 * The handle of the browser that a request comes from, to send along with its signup; null if it
 * followed no link. What the cookie holds is handed on as it is: the service knows its own.
 */
export function readHandle(source: HandleSource): string | null {
  // `cookies()` that nobody waited for has no cookie either, and a referral would be lost unseen.
  if (typeof source !== 'string' && (!isObject(source) || 'then' in source)) {
    throw new TypeError('Give the request, its headers, the text of Cookie, or await cookies().');
  }
  const value = isCookieStore(source)
    ? source.get(COOKIE)?.value
    : findCookie(typeof source === 'string' ? source : readHeader(headersOf(source), 'cookie'));
  if (value === undefined || value.trim() === '' || value.length > CHARS_MAX) return null;
  return value;
}

/** Headers have `get` and `has` too, but a cookie store only ever gives objects. */
function isCookieStore(source: HandleSource): source is CookieStore {
  if (typeof source === 'string' || !('get' in source) || !('has' in source)) return false;
  if (typeof source.get !== 'function' || 'headers' in source) return false;
  const found = source.get(COOKIE);
  return typeof found === 'object' && found !== null;
}

function headersOf(source: object): HeadersLike {
  const { headers, raw, req } = source as {
    headers?: unknown;
    raw?: { headers?: unknown };
    req?: { raw?: { headers?: unknown } };
  };
  const found = [headers, raw?.headers, req?.raw?.headers].find(isObject);
  return (found ?? source) as HeadersLike;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The first of that name: browsers send the most specific first. */
function findCookie(header: string | null): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [name, ...value] = pair.split('=');
    if (name?.trim() === COOKIE) return value.join('=').trim();
  }
  return undefined;
}
