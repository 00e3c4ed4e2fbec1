import type { AddressInfo } from 'node:net';
import { buildApp, VERSION } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createDatabase, type Database } from './db/database.ts';
import { openEmbedded } from './db/embedded/open-embedded.ts';
import { migrate } from './db/migrate.ts';
import { openPostgres } from './db/postgres.ts';
import { createProjectWriter } from './feed/writer.ts';
import { systemClock } from './kit/clock.ts';
import { makeNewId } from './kit/ids.ts';
import { createKeyring } from './kit/keyring.ts';
import { createLogger, type Logger } from './log.ts';
import { createMetrics } from './metrics.ts';
import { loadSecrets } from './secret-files.ts';
import { welcome } from './welcome.ts';

/** A request that is still running this long after the signal is cut off. */
const DRAIN_MS = 30_000;

async function openDatabase(config: Config, logger: Logger): Promise<Database> {
  if (config.databaseUrl === null) {
    return createDatabase(await openEmbedded(config.dataDir));
  }
  return createDatabase(
    openPostgres({
      connectionString: config.databaseUrl,
      poolSize: config.databasePoolSize,
      onIdleError: (error) => logger.warn({ err: error }, 'database connection lost'),
    }),
  );
}

async function start(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database = await openDatabase(config, logger);
  // After the folder is locked: a second process must not touch the files of the first.
  const secrets = await loadSecrets(config);
  for (const name of await migrate(database)) logger.info({ migration: name }, 'migrated');

  const clock = systemClock;
  const newId = makeNewId(clock.nowMs);
  const metrics = createMetrics();
  const writer = createProjectWriter({
    database,
    clock,
    newId,
    queueMax: config.projectQueueMax,
    onBatch: metrics.observeBatch,
  });
  metrics.watchPendingWrites(writer.pending);

  let draining = false;
  const app = buildApp({
    settings: {
      ...config,
      baseUrl: config.baseUrl ?? `http://${hostInUrl(config.host)}:${config.port}`,
      adminToken: secrets.adminToken,
    },
    database,
    writer,
    clock,
    newId,
    keyring: createKeyring(secrets.rootKey),
    logger,
    metrics,
    isDraining: () => draining,
  });

  const stop = async (signal: string) => {
    if (draining) return;
    draining = true;
    logger.info({ signal }, 'draining');
    const deadline = setTimeout(() => {
      logger.error('requests still running after the time to drain; stopping anyway');
      process.exit(1);
    }, DRAIN_MS);
    await app.close();
    await writer.drain();
    await database.close();
    clearTimeout(deadline);
    logger.info('stopped');
    process.exitCode = 0;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error) => {
        logger.fatal({ err: error }, 'could not stop in order');
        process.exit(1);
      });
    });
  }

  await app.listen({ port: config.port, host: config.host });
  const { port } = app.server.address() as AddressInfo;
  process.stdout.write(
    welcome({
      version: VERSION,
      address: config.baseUrl ?? `http://${hostInUrl(config.host)}:${port}`,
      database: config.databaseUrl === null ? `embedded, in ${config.dataDir}` : 'PostgreSQL',
      adminTokenPath: secrets.adminTokenPath,
    }),
  );
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

try {
  await start(readConfig(process.env));
} catch (error) {
  const isExpected =
    error instanceof ConfigError || (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const text = isExpected ? (error as Error).message : ((error as Error).stack ?? String(error));
  process.stderr.write(`Goodword cannot start.\n${text}\n`);
  process.exit(1);
}
