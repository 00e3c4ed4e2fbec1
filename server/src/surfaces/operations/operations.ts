import type { FastifyInstance } from 'fastify';
import { listOpenRestores } from '../../accounts/workspaces/payment-hold/restore-queries.ts';
import { describeSchema, SCHEMA_PATH } from '../../domain/programs/definition/schema-file.ts';
import { measurePayouts } from '../../outbound/payouts/queries.ts';
import { measureDeliveries } from '../../outbound/webhooks/queue/measure-backlog.ts';
import type { Database } from '../../platform/db/database.ts';
import { doesAnswer, type Queryable } from '../../platform/db/driver.ts';
import { assertMigrated } from '../../platform/db/migrate.ts';
import { describeApi } from '../../platform/http/routes/openapi.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { registerStaticFile } from '../../platform/http/server/static-file.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { VERSION } from '../../platform/kit/version.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Backlog, Metrics } from '../../platform/telemetry/metrics.ts';
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

/** The API description as a file for programs and as a page for people. Returns the pages of /docs as Markdown. */
export function registerReference(
  app: FastifyInstance,
  routes: readonly Route[],
  baseUrl: string,
): ReturnType<typeof registerDocs> {
  const describe = () => describeApi(routes, VERSION, WEBHOOKS);
  const makeFile = () => Buffer.from(JSON.stringify(describe()));
  registerStaticFile(app, '/openapi.json', makeFile, { 'cache-control': 'no-cache' });
  const makeSchema = () => Buffer.from(JSON.stringify(describeSchema(baseUrl), null, 2));
  registerStaticFile(app, SCHEMA_PATH, makeSchema, { 'cache-control': 'no-cache' });
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302));
  return registerDocs(app, describe, baseUrl);
}

/** Limits queries, however often metrics are scraped. */
const KEPT_MS = 10_000;
const KEPT_DISTRIBUTED_MS = 60_000;

/** Whether the database answers at all, however long a measurement takes. */
export function createReachReader(reads: Queryable): () => Promise<boolean> {
  return keep(() => doesAnswer(reads));
}

/**
 * The work waiting in the database, whichever process will do it. So processes that only serve
 * report it as well, and it is visible when no worker runs. Null while the database does not
 * answer.
 */
export function createBacklogReader(deps: {
  readonly database: Pick<Database, 'reads' | 'isDistributed'>;
  readonly clock: Clock;
}): () => Promise<Backlog | null> {
  return keep(
    () => readBacklog(deps.database, toInstant(deps.clock.nowMs())).catch(() => null),
    // There it asks every shard.
    () => (deps.database.isDistributed() ? KEPT_DISTRIBUTED_MS : KEPT_MS),
  );
}

function keep<T>(read: () => Promise<T>, keptMs = () => KEPT_MS): () => Promise<T> {
  let kept: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (!kept || nowMs - kept.atMs >= keptMs()) kept = { atMs: nowMs, answer: read() };
    return kept.answer;
  };
}

async function readBacklog(
  database: Pick<Database, 'reads' | 'isDistributed'>,
  now: string,
): Promise<Backlog> {
  const [deliveries, payouts, restores] = await Promise.all([
    measureDeliveries(database, now),
    measurePayouts(database.reads, now),
    listOpenRestores(database.reads),
  ]);
  return { deliveries, payouts, heldWorkspaces: restores.length };
}
