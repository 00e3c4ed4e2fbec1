import {
  cookieAttributes,
  decideRenewal,
  type Renewal,
  type RenewOptions,
} from './decide-renewal.ts';
import type { HeadersLike } from './read-headers.ts';

/*
 * Safari deletes a cookie that a script wrote after 7 days, but not one of the page's own server.
 * These functions send the browser's handle back as such a cookie. It stays readable for scripts:
 * the landing script reuses it, and deletes it if consent is withdrawn.
 */

interface AnyRequest {
  readonly method?: string | undefined;
  readonly headers: HeadersLike;
}

/** A response of Express, Connect or `node:http`. */
interface NodeResponse {
  getHeader(name: string): unknown;
  setHeader(name: string, value: string | readonly string[]): unknown;
  writeHead: (...args: never[]) => unknown;
}

interface FastifyReply {
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
}

/** For a plain function from `Request` to `Response`, such as the proxy of Next, Hono or Remix. */
export function renewHandle(
  request: AnyRequest,
  response: Response,
  options?: RenewOptions,
): Response {
  const { headers } = response;
  const read = (name: string) =>
    name === 'set-cookie' ? headers.getSetCookie() : headers.get(name);
  const renewal = decideFor(request, read, cookieAttributes(options));
  if (renewal === null) return response;
  const write = (answer: Response) => {
    answer.headers.append('set-cookie', renewal.setCookie);
    answer.headers.set('cache-control', renewal.cacheControl);
    return answer;
  };
  try {
    return write(response);
  } catch {
    // The headers of a redirect, and of what `fetch` returned, cannot be changed.
    return write(new Response(response.body, response));
  }
}

/** A middleware for Express and Connect: `app.use(renewHandleMiddleware())`, before the routes. */
export function renewHandleMiddleware(options?: RenewOptions) {
  const attributes = cookieAttributes(options);
  return (request: AnyRequest, response: NodeResponse, next: () => void): void => {
    const { writeHead } = response;
    // Only then is it known what the route sets itself. Node calls it for a route that does not.
    response.writeHead = (...args: unknown[]) => {
      response.writeHead = writeHead;
      const rest = takeHeaders(response, args);
      const renewal = decideFor(request, (name) => response.getHeader(name), attributes);
      if (renewal !== null) {
        const setCookies = asList(response.getHeader('set-cookie'));
        response.setHeader('set-cookie', [...setCookies, renewal.setCookie]);
        response.setHeader('cache-control', renewal.cacheControl);
      }
      return writeHead.apply(response, rest as never[]);
    };
    next();
  };
}

/** A hook for Fastify: `app.addHook('onSend', renewHandleHook())`. */
export function renewHandleHook(options?: RenewOptions) {
  const attributes = cookieAttributes(options);
  return async (request: AnyRequest, reply: FastifyReply): Promise<void> => {
    const renewal = decideFor(request, (name) => reply.getHeader(name), attributes);
    if (renewal === null) return;
    // Fastify adds to this header, and replaces the other.
    reply.header('set-cookie', renewal.setCookie);
    reply.header('cache-control', renewal.cacheControl);
  };
}

function decideFor(
  { method, headers }: AnyRequest,
  read: (name: string) => unknown,
  attributes: string,
): Renewal | null {
  const setCookies = asList(read('set-cookie'));
  const cacheControl = asList(read('cache-control')).join(', ');
  return decideRenewal({ method, headers, setCookies, cacheControl }, attributes);
}

/** Headers given to `writeHead` would replace those set here, so they are set before. Returns the other arguments. */
function takeHeaders(response: NodeResponse, args: readonly unknown[]): readonly unknown[] {
  const last = args.at(-1);
  if (typeof last !== 'object' || last === null) return args;
  const given = new Map<string, string[]>();
  for (const [name, value] of Array.isArray(last) ? pairsOf(last) : Object.entries(last)) {
    const key = String(name).toLowerCase();
    if (value !== undefined) given.set(key, [...(given.get(key) ?? []), ...asList(value)]);
  }
  for (const [name, values] of given) {
    response.setHeader(name, values.length === 1 ? (values[0] as string) : values);
  }
  return args.slice(0, -1);
}

/** Node accepts a list of pairs, and one of names and values in turn. */
function pairsOf(list: readonly unknown[]): readonly (readonly unknown[])[] {
  if (list.every(Array.isArray)) return list;
  return list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : []));
}

function asList(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
