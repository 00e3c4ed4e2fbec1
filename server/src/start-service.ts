import { lookup } from 'node:dns/promises';
import { openSetup } from './accounts/users/set-up.ts';
import {
  outdateCopies,
  recogniseRestore,
} from './accounts/workspaces/payment-hold/recognise-restore.ts';
import { buildService } from './build-service.ts';
import { loadRest } from './load-rest.ts';
import { openProviders, PROVIDER_HOSTS } from './outbound/integrations/providers.ts';
import { StripeOnboarding } from './outbound/integrations/stripe-connect/onboarding.ts';
import { watchProviders } from './outbound/integrations/watch-providers.ts';
import { createAddressRules } from './outbound/webhooks/sender/address-rules.ts';
import { createLookup } from './outbound/webhooks/sender/resolve-host.ts';
import { type Config, StartError } from './platform/config/config.ts';
import { findRootKey, loadSecrets } from './platform/config/secret-files.ts';
import { type DistributionProgress, settleDistribution } from './platform/db/citus.ts';
import { createDatabase, type Database } from './platform/db/database.ts';
import { openDatabaseClock } from './platform/db/database-clock.ts';
import type { Driver } from './platform/db/driver.ts';
import { createFolder } from './platform/db/embedded/folders.ts';
import { RECOVERY_STEPS, STEP_NAMES, type StartStep } from './platform/db/embedded/start-step.ts';
import {
  isInUse,
  isRootKeyOf,
  listNewer,
  type MigrationProgress,
  migrate,
} from './platform/db/migrate.ts';
import { traceDriver } from './platform/db/trace-driver.ts';
import { prepareClose } from './platform/http/server/prepare-close.ts';
import { systemClock } from './platform/kit/clock.ts';
import { makeNewId } from './platform/kit/ids.ts';
import { toInstant } from './platform/kit/instant.ts';
import { createKeyring } from './platform/kit/keyring.ts';
import type { Tracer } from './platform/kit/tracer.ts';
import { VERSION } from './platform/kit/version.ts';
import { type ControlSocket, openControlSocket } from './platform/process/control-socket.ts';
import { probePort } from './platform/process/probe-port.ts';
import { createReport, type Report, welcome } from './platform/process/start-messages.ts';
import { openStoreCopies } from './platform/process/store-copies.ts';
import { createLogger, type Logger } from './platform/telemetry/log.ts';
import { createMetrics, type Metrics } from './platform/telemetry/metrics.ts';
import { createBacklogReader, createReachReader } from './surfaces/operations/operations.ts';
import { startWorkers } from './workers.ts';

/** A request that is still running this long after the drain is aborted. */
const CLOSE_MS = 30_000;
/** After the start, when whatever waited for it was served. */
const LOAD_REST_MS = 20_000;

/** Turns the error of this work into a sentence; some socket errors have a code and no message. */
async function explain<T>(work: Promise<T>, toSentence = (why: string) => why): Promise<T> {
  return work.catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(toSentence(cause.message || String(cause.code)), { cause });
  });
}

const inDatabase = (why: string) => `The database of DATABASE_URL: ${why}`;

interface Watching {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer | undefined;
  readonly report: Report;
}

async function openDatabase(
  config: Config,
  { logger, metrics, tracer, report }: Watching,
): Promise<Database> {
  const trace = (driver: Driver) => (tracer ? traceDriver(driver, tracer) : driver);
  if (config.databaseUrl === null) {
    const onCreate = () => {
      process.stdout.write(
        `\n  Creating a database in ${config.dataDir}. This takes a few seconds, only once.\n`,
      );
    };
    const noFolder = (why: string) => `DATA_DIR cannot be used: ${why}.`;
    await explain(createFolder(config.dataDir), noFolder);
    const onStep = (step: StartStep) =>
      report(STEP_NAMES[step], { isRare: RECOVERY_STEPS.has(step) });
    const { openEmbedded } = await import('./platform/db/embedded/open-embedded.ts');
    const opening = openEmbedded(config.dataDir, { onCreate, onStep });
    return createDatabase(trace(await explain(opening)));
  }
  const [{ SHARED_CONNECTIONS, sharesConnections, USE_SESSIONS }, { openPostgres }] =
    await Promise.all([import('./platform/db/pooler.ts'), import('./platform/db/postgres.ts')]);
  if (await explain(sharesConnections(config.databaseUrl), inDatabase)) {
    throw new StartError(`${SHARED_CONNECTIONS}. ${USE_SESSIONS}`);
  }
  return createDatabase(
    trace(
      openPostgres({
        connectionString: config.databaseUrl,
        poolSize: config.databasePoolSize,
        onIdleError: (error) => logger.warn({ err: error }, 'database connection lost'),
      }),
    ),
    { watchesNesting: false, onRetry: metrics.countRetry },
  );
}

/** Starts everything that the settings ask for; resolves once it listens. */
export async function startService(config: Config): Promise<void> {
  await explain(lookup(config.host), (why) => noHost(config, why));
  // Before anything is created, so that a port in use is reported at once.
  const port = await probePort(config.port, config.host).catch((error) => {
    throw cannotListen(config, error);
  });
  // The reader of the output may close it; the service continues.
  process.stdout.on('error', () => undefined);
  const logger = createLogger(config.logLevel);
  const metrics = createMetrics();
  const tracing = config.tracing
    ? (await import('./platform/telemetry/open-tracing.ts')).openTracing(config.tracing, logger)
    : undefined;
  const tracer = tracing?.tracer;
  const report = createReport((line, what) => {
    logger.info(line, what);
    // Flushed at once, because the embedded database blocks this process while it recovers.
    logger.flush();
  }, performance.now.bind(performance));
  const database = await openDatabase(config, { logger, metrics, tracer, report });
  // After the folder is locked: a second process must not touch the files of the first.
  if ((await findRootKey(config)) === null && (await isInUse(database))) {
    await database.close();
    throw new StartError(
      `The store in ${config.dataDir} already contains data, but its root key is missing. Restore the file root-key, or set ROOT_KEY. A new key cannot decrypt the secrets in the store.`,
    );
  }
  const secrets = await explain(loadSecrets(config));
  report('checking the schema');
  const onMigration = ({ name, number, of }: MigrationProgress) =>
    report(`migration ${number} of ${of}`, { migration: name });
  const migrations = await explain(
    migrate(database, undefined, onMigration),
    config.databaseUrl === null ? undefined : inDatabase,
  );
  if (migrations.length > 0) logger.info({ migrations }, 'migrated');
  const onTable = ({ table, number, of }: DistributionProgress) =>
    report(`distributing table ${number} of ${of}`, { table });
  await explain(settleDistribution(database, config.distributesDatabase, onTable));
  const newer = await listNewer(database);
  if (newer.length > 0) logger.warn({ newer }, 'the database schema is newer than this program');
  const keyring = createKeyring(secrets.rootKey);
  if (!(await isRootKeyOf(database, keyring.hmac('root-key-mark', '').toString('base64url')))) {
    await database.close();
    throw new StartError(
      'This is not the root key of this store. Set ROOT_KEY (or root-key in the data folder) to the original key. Another key cannot decrypt the secrets in the store.',
    );
  }

  const clock = systemClock;
  const dataDir = config.databaseUrl === null ? config.dataDir : null;
  const restores = await recogniseRestore(
    { database, newId: makeNewId(clock.nowMs), dataDir },
    toInstant(clock.nowMs()),
  );
  if (restores.length > 0) {
    logger.warn({ restores }, 'this store was restored: it pays nothing until it is released');
  }
  let draining = false;
  const { reads } = database;
  const { smtpUrl, mailFrom } = config;
  const baseUrl = config.baseUrl ?? `http://${hostInUrl(config.host)}:${port}`;
  // Only what the settings ask for is loaded: a start takes as long as the code that it reads.
  const mailer =
    smtpUrl !== null && mailFrom !== null
      ? (await import('./platform/mail/smtp-mailer.ts')).createSmtpMailer({
          smtpUrl,
          from: mailFrom,
        })
      : null;
  const service = buildService({
    settings: {
      ...config,
      baseUrl,
      adminToken: secrets.adminToken,
      servesApi: config.role !== 'worker',
    },
    database,
    clock,
    keyring,
    logger,
    metrics,
    tracer,
    mailer,
    reach: { rules: createAddressRules(config.webhookAllowedCidrs), lookup: createLookup() },
    ...watchProviders(openProviders({ reads, keyring, clock }), metrics.observeCall),
    providerHosts: PROVIDER_HOSTS,
    payeeOnboarding: new StripeOnboarding({ reads, keyring, clock, baseUrl }),
    isDraining: () => draining,
  });
  const { app } = service;
  metrics.watchPendingWrites(service.writer.pending);
  metrics.watchDatabase(createReachReader(reads));
  metrics.watchBacklog(createBacklogReader({ database, clock }));
  if (database.pools) metrics.watchPools(database.pools);
  const control = await openControl(config, database);
  const databaseClock = await openDatabaseClock(reads);
  const workers = startWorkers(config, { ...service, databaseClock });

  const closeApp = prepareClose(app);
  const stop = async (signal: string) => {
    if (draining) return;
    draining = true;
    logger.info({ signal }, 'draining');
    // Somebody at the keyboard should not have to wait, and workers receive no requests.
    const waits = signal === 'SIGTERM' && config.role !== 'worker';
    const drainMs = waits ? config.drainSeconds * 1_000 : 0;
    const deadline = setTimeout(
      () => {
        logger.error('requests are still running after the drain time; stopping anyway');
        process.exit(1);
      },
      2 * drainMs + CLOSE_MS,
    );
    await closeApp(drainMs);
    await workers.stop();
    await service.close();
    await control?.close();
    await database.close();
    await tracing?.close();
    clearTimeout(deadline);
    logger.info('stopped');
    process.exitCode = 0;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error) => {
        logger.fatal({ err: error }, 'could not stop cleanly');
        process.exit(1);
      });
    });
  }

  await app.ready();
  await app.listen({ port, host: config.host }).catch(async (error) => {
    await workers.stop();
    await service.close();
    await control?.close();
    await database.close();
    throw cannotListen(config, error);
  });
  report('ready');
  const loadLater = () =>
    loadRest().catch((err) => logger.error({ err }, 'a part of the program could not be loaded'));
  setTimeout(loadLater, LOAD_REST_MS).unref();
  const setupToken = config.role === 'worker' ? null : await openSetup({ database });
  process.stdout.write(
    welcome({
      setupLink: setupToken === null ? null : `${baseUrl}/console/setup#${setupToken}`,
      version: VERSION,
      address: baseUrl,
      database: config.databaseUrl === null ? `embedded, in ${config.dataDir}` : 'PostgreSQL',
      adminTokenPath: secrets.adminTokenPath,
    }),
  );
}

/** Only with an embedded store: nobody else can copy it while this process runs. */
async function openControl(config: Config, database: Database): Promise<ControlSocket | null> {
  const { copyTo } = database;
  if (!copyTo) return null;
  const copies = await openStoreCopies(config.dataDir, copyTo);
  return openControlSocket(config.dataDir, {
    async copy() {
      const { folder, remove } = await copies.copy();
      await outdateCopies({ database, dataDir: config.dataDir });
      return { response: { folder }, onLeave: remove };
    },
  });
}

function noHost({ host }: Config, why: string): string {
  return `HOST must be an address or a name of this machine, not "${host}" (${why}).`;
}

function cannotListen(config: Config, error: NodeJS.ErrnoException): StartError {
  const { port, host } = config;
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} of ${host} is already in use. Stop the process that listens there, or set PORT to another port.`,
      );
    case 'EACCES':
      return new StartError(
        `This user may not listen on port ${port}. Set PORT to 1024 or more, or allow it.`,
      );
    case 'EADDRNOTAVAIL':
      return new StartError(noHost(config, error.message));
    default:
      return new StartError(error.message, { cause: error });
  }
}

/** The host by which a browser on this machine reaches the service. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
