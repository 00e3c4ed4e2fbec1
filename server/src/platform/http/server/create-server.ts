import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { AppError } from '../../kit/errors.ts';
import type { NewId } from '../../kit/ids.ts';
import { readForwardedFor } from '../access/client-address.ts';
import { errorBody, statusOf, toAppError } from '../routes/error-body.ts';
import { parseJson } from '../routes/parse-json.ts';
import { BODY_BYTES_MAX } from '../routes/route.ts';
import { createBoundedServer, type ServerTimes } from './bounded-server.ts';
import { isStreamed } from './send-stream.ts';

/** 512 characters of four bytes each, every byte as %XX. */
const PARAM_LENGTH_MAX = 512 * 12;
/** How long a refused client may take to disconnect. */
const HANG_UP_MS = 1_000;
/** Clients write JSON's only charset in several ways. */
export const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*(["']?)utf-?8\2\s*)?;?\s*$/i;

/** Requests are checked by the routes, and responses are plain data: the packages for Fastify's own schemas are not loaded. */
const NO_COMPILERS = {
  buildValidator: () => () => {
    throw new Error('No route has a schema that Fastify checks.');
  },
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

/** Report of a completed call. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Only for a stream: the number of messages. */
  readonly events?: number;
}

export type TrustProxy = false | number | readonly string[];

export interface ServerOptions {
  readonly newId: NewId;
  /** Whose information about a caller's address to trust: nobody's, that of so many proxies, or of these addresses. */
  readonly trustProxy: TrustProxy;
  /** Public address of the service. */
  readonly baseUrl: string;
  /** Timeouts of connections; optional. */
  readonly times?: ServerTimes;
  readonly onAnswer: (answered: Answered) => void;
  /** Reports errors that are not the caller's fault. */
  readonly onFailure: (refusal: AppError, requestId: string) => void;
}

/** An HTTP server without routes: reads bodies, writes refusals and reports each call. */
export function createServer(options: ServerOptions): FastifyInstance {
  const everywhere = securityHeaders(options.baseUrl);
  const app = Fastify({
    logger: false,
    genReqId: () => options.newId('req'),
    trustProxy: toTrust(options.trustProxy),
    bodyLimit: BODY_BYTES_MAX,
    schemaController: { compilersFactory: NO_COMPILERS },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    serverFactory: (handle) => createBoundedServer(handle, options.times),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      const refusal = toAppError(error);
      (reply as FastifyReply)
        .code(statusOf(refusal))
        .headers({ ...everywhere, 'x-request-id': request.id })
        .send(errorBody(refusal, request.id));
    },
    clientErrorHandler: (error, socket) =>
      refuseSocket(error, socket, options.newId('req'), everywhere),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    JSON_TYPE,
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => (body.length === 0 ? undefined : parseJson(body)),
  );
  // Responses are plain data of our own; their schemas describe them and the tests enforce them.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));

  // Hooks of every call are not async: each promise costs it a few microseconds.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere).header('x-request-id', request.id);
    const { headers } = request.raw;
    const forwarded = headers['x-forwarded-for'];
    // Before anything reads the caller's address, which comes from here.
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = readForwardedFor(forwarded);
    done();
  });
  refuseOthers(app);
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const isPlain = request.headers['content-encoding'] === undefined;
    done(
      isPlain
        ? null
        : new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding.'),
    );
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (!isStreamed(request)) options.onAnswer(describeAnswer(reply));
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const hungUp = request.raw.destroyed && !request.raw.complete;
    const refusal = hungUp
      ? new AppError('INVALID_REQUEST', 'The connection ended before the body was complete.')
      : toAppError(error);
    const status = statusOf(refusal);
    if (status >= 500) options.onFailure(refusal, request.id);
    return reply.code(status).headers(refusal.headers).send(errorBody(refusal, request.id));
  });
  return app;
}

export function describeAnswer(reply: FastifyReply): Answered {
  const { request } = reply;
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: reply.statusCode,
    ms: reply.elapsedTime,
  };
}

/**
 * A number trusts that many addresses of the chain. That is safe only if the port can be reached
 * only through the proxies, as the setting `TRUST_PROXY` says.
 */
function toTrust(setting: TrustProxy) {
  if (setting === false) return false;
  return typeof setting === 'number'
    ? (_address: string, hop: number) => hop < setting
    : [...setting];
}

/**
 * For requests that the HTTP parser rejected or that took too long, so that even they get our
 * response. A connection that sent nothing gets none: browsers open connections ahead of their
 * requests, and would take it for the response to the next one.
 */
function refuseSocket(
  error: { readonly code?: string },
  socket: Socket,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const refusal = new AppError(
    'INVALID_REQUEST',
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'The request was not complete in time.'
      : 'This is not a valid HTTP request.',
  );
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Otherwise it stays open as long as the other side likes.
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref();
}

/** A year. No `preload` and no `includeSubDomains`: both would affect hosts that are not ours. */
const HSTS = 'max-age=31536000';

/**
 * On every response: browsers must not guess another type than the declared one, and must return by
 * https only if the service is served by https.
 */
function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  return {
    'x-content-type-options': 'nosniff',
    ...(isSecure ? { 'strict-transport-security': HSTS } : {}),
  };
}

/**
 * A known path with another method gets 405 with the allowed ones; anything else gets 404: before
 * the body is read, and also for methods that the router does not know. Must be called before the
 * routes are registered.
 */
function refuseOthers(app: FastifyInstance): void {
  const known: { matches: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const matches = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
    for (const name of [method].flat()) known.push({ matches, method: name });
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    done(request.is404 ? refuse(request.url) : null);
  });
  const refuse = (url: string): AppError => {
    const path = url.split('?', 1)[0] as string;
    const methods = known.filter(({ matches }) => matches.test(path)).map(({ method }) => method);
    if (methods.length === 0) return new AppError('NOT_FOUND', 'There is no such route.');
    const allow = [...new Set(methods)].sort().join(', ');
    return new AppError('METHOD_NOT_ALLOWED', `This path accepts only ${allow}.`, {
      headers: { allow },
    });
  };
}
