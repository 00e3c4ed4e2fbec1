import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Database } from './db/database.ts';
import { assertMigrated } from './db/migrate.ts';
import { feedRoutes } from './feed/routes.ts';
import type { ProjectWriter } from './feed/writer.ts';
import { errorBody, statusOf, toAppError } from './http/error-body.ts';
import { describeApi } from './http/openapi.ts';
import { parseJson } from './http/parse-json.ts';
import { createLimits, type HttpDeps, registerRoute } from './http/register-route.ts';
import type { Route } from './http/route.ts';
import type { Clock } from './kit/clock.ts';
import { AppError } from './kit/errors.ts';
import type { NewId } from './kit/ids.ts';
import type { Keyring } from './kit/keyring.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { createIdentities, KeyCache } from './workspaces/identities.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

/** Raised with every release. */
export const VERSION = '0.1.0';

export interface AppSettings {
  readonly baseUrl: string;
  readonly adminToken: string;
  readonly trustProxy: boolean | number | string[];
  readonly rateLimitPerSecond: number | null;
  readonly failedAuthenticationsPerMinute: number;
  readonly applicationsPerMinute: number;
}

/** What the routes need to do their work. */
export interface RouteDeps {
  readonly settings: AppSettings;
  readonly database: Database;
  readonly writer: ProjectWriter;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly cache: KeyCache;
}

export interface AppDeps extends Omit<RouteDeps, 'cache'> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** True once the process was told to stop: it is alive, but wants no new traffic. */
  readonly isDraining: () => boolean;
}

const BODY_BYTES_MAX = 262_144;
/** 512 characters of four bytes each, every byte as %XX. */
const PARAM_LENGTH_MAX = 512 * 12;

/** Every route of the API, in the order of the reference. */
export function collectRoutes(deps: RouteDeps): Route[] {
  const { database, clock, newId, keyring, cache } = deps;
  return [
    ...workspaceRoutes({ database, clock, newId, keyring, cache }),
    ...feedRoutes({
      reads: database.reads,
      keyring,
      findParties: () => Promise.resolve(new Map()),
    }),
  ];
}

/** The whole HTTP side of the service, ready to listen or to be called by a test. */
export function buildApp(deps: AppDeps): FastifyInstance {
  const { settings, database, clock, keyring, logger, metrics } = deps;
  const app = Fastify({
    logger: false,
    genReqId: () => deps.newId('req'),
    trustProxy: toTrust(settings.trustProxy),
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: false },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      const refusal = toAppError(error);
      (reply as FastifyReply)
        .code(statusOf(refusal))
        .header('x-request-id', request.id)
        .send(errorBody(refusal, request.id));
    },
    clientErrorHandler: (_error, socket) => {
      const id = deps.newId('req');
      const refusal = new AppError('INVALID_REQUEST', 'This is not an HTTP request we can read.');
      const body = JSON.stringify(errorBody(refusal, id));
      if (socket.writable) {
        socket.end(
          `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${id}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      } else {
        socket.destroy();
      }
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i,
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => (body.length === 0 ? undefined : parseJson(body)),
  );
  // Answers are plain data made by us; their schemas describe them and the tests hold them to it.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('preParsing', async (request) => {
    if (request.headers['content-encoding'] !== undefined) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding.');
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    metrics.observeRequest({ method: request.method, route, status }, reply.elapsedTime);
    logger.info({ requestId: request.id, method: request.method, route, status, ms }, 'request');
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = toAppError(error);
    if (refusal.code === 'INTERNAL_ERROR') {
      logger.error({ requestId: request.id, err: error }, 'request failed');
    } else if (refusal.code === 'SERVICE_UNAVAILABLE') {
      logger.warn({ requestId: request.id, err: refusal }, 'request refused');
    }
    return reply
      .code(statusOf(refusal))
      .headers(refusal.headers)
      .send(errorBody(refusal, request.id));
  });

  refuseOthers(app);
  const cache = new KeyCache(clock);
  const routes = collectRoutes({ ...deps, cache });
  const httpDeps: HttpDeps = {
    identities: createIdentities({
      reads: database.reads,
      clock,
      cache,
      adminToken: settings.adminToken,
    }),
    keyring,
    clock,
    rateLimitPerSecond: settings.rateLimitPerSecond,
    failedAuthenticationsPerMinute: settings.failedAuthenticationsPerMinute,
  };
  const limits = createLimits(httpDeps);
  for (const route of routes) registerRoute(app, route, httpDeps, limits);
  registerOperations(app, deps, routes);
  return app;
}

/** A number is how many proxies stand in front: that many addresses of the chain are believed. */
function toTrust(setting: AppSettings['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}

/** What operators and their machines ask: is it alive, is it ready, how is it doing, what can it do. */
function registerOperations(app: FastifyInstance, deps: AppDeps, routes: readonly Route[]): void {
  const openapi = JSON.stringify(describeApi(routes, VERSION));
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (deps.isDraining()) return reply.code(503).send({ status: 'draining' });
    try {
      await assertMigrated(deps.database);
      return { status: 'ready' };
    } catch (error) {
      deps.logger.warn({ err: error }, 'not ready');
      return reply.code(503).send({ status: 'not_ready' });
    }
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(deps.metrics.contentType).send(await deps.metrics.render()),
  );
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openapi),
  );
}

/** A known path with another method is 405 and names the ones it takes; anything else is 404. */
function refuseOthers(app: FastifyInstance): void {
  const known: { matches: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const matches = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`);
    for (const name of [method].flat()) known.push({ matches, method: name });
  });
  app.setNotFoundHandler(async (request) => {
    const path = request.url.split('?', 1)[0] as string;
    const methods = known.filter(({ matches }) => matches.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new AppError('NOT_FOUND', 'There is no such route.');
    const allow = [...new Set(methods)].sort().join(', ');
    throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
  });
}
