import { type HeadersLike, readHeader } from './read-headers.ts';

const COOKIE = 'service_handle';
/** The service accepts no longer ones; a browser's own have 30 characters. */
const CHARS_MAX = 4_096;

/** What Next returns from `await cookies()`. */
interface CookieStore {
  get(name: string): { readonly value: string } | undefined;
  has(name: string): boolean;
}

/**
 * Where a cookie can be read from: a request of Express, Fastify, Next or `node:http`, the web's
 * `Request`, Hono's context or its `req`, plain headers, Next's `await cookies()`, or the text of
 * `Cookie`.
 */
export type HandleSource =
  | string
  | HeadersLike
  | CookieStore
  | { readonly headers: HeadersLike }
  | { readonly raw: { readonly headers: HeadersLike } }
  | { readonly req: { readonly raw: { readonly headers: HeadersLike } } };

/**
 * The handle of the browser that sent a request, to be sent with its signup; null if it followed no
 * link. The cookie's value is passed on unchanged: the service validates it.
 */
export function readHandle(source: HandleSource): string | null {
  // A `cookies()` that was not awaited has no cookie either, and a referral would be lost
  // unnoticed.
  if (typeof source !== 'string' && (!isObject(source) || 'then' in source)) {
    throw new TypeError('Give the request, its headers, the text of Cookie, or await cookies().');
  }
  const value = isCookieStore(source)
    ? source.get(COOKIE)?.value
    : findCookie(typeof source === 'string' ? source : readHeader(headersOf(source), 'cookie'));
  if (value === undefined || value.trim() === '' || value.length > CHARS_MAX) return null;
  return value;
}

/** Headers also have `get` and `has`, but only a cookie store returns objects. */
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

/** The first one of that name: browsers send the most specific first. */
function findCookie(header: string | null): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [name, ...value] = pair.split('=');
    if (name?.trim() === COOKIE) return value.join('=').trim();
  }
  return undefined;
}
