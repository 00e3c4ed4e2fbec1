import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import { assertMigrated } from '../../platform/db/migrate.ts';
import { describeApi } from '../../platform/http/routes/openapi.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { registerStaticFile } from '../../platform/http/server/static-file.ts';
import { VERSION } from '../../platform/kit/version.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { registerDocs } from '../docs/register-docs.ts';
import { WEBHOOKS } from '../views/webhook-events.ts';

/** Liveness, readiness and metrics for operators' machines. */
export function registerOperations(
  app: FastifyInstance,
  deps: {
    readonly database: Database;
    readonly metrics: Metrics;
    readonly logger: Logger;
    readonly isDraining: () => boolean;
  },
): void {
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
}

/** The API description as a file for programs and as a page for people. */
export function registerReference(
  app: FastifyInstance,
  routes: readonly Route[],
  baseUrl: string,
): void {
  const describe = () => describeApi(routes, VERSION, WEBHOOKS);
  const makeFile = () => Buffer.from(JSON.stringify(describe()));
  registerStaticFile(app, '/openapi.json', makeFile, { 'cache-control': 'no-cache' });
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302));
  registerDocs(app, describe, baseUrl);
}
