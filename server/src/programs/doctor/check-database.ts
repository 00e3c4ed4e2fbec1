import { listOpenRestores } from '../../accounts/workspaces/payment-hold/restore-queries.ts';
import { canOpenNewestSecret } from '../../accounts/workspaces/widget-secrets.ts';
import type { Config } from '../../platform/config/config.ts';
import { findDistribution, isWhole, listNodes } from '../../platform/db/citus.ts';
import { createDatabase, type Database } from '../../platform/db/database.ts';
import { assertSameSchema } from '../../platform/db/migrate.ts';
import { systemClock } from '../../platform/kit/clock.ts';
import { createKeyring } from '../../platform/kit/keyring.ts';
import { type ClockReading, type Finding, ok, problem, whyOf } from './finding.ts';
import { findServerState } from './server-store.ts';

const OLDEST = 150_000;

/** Checks the PostgreSQL of DATABASE_URL: it answers, stores data durably and fits the root key. */
export async function checkDatabase(config: Config): Promise<(Finding | ClockReading)[]> {
  const { databaseUrl: connectionString, rootKey } = config;
  if (connectionString === null) return [];
  const [{ SHARED_CONNECTIONS, sharesConnections, USE_SESSIONS }, { openPostgres }] =
    await Promise.all([
      import('../../platform/db/pooler.ts'),
      import('../../platform/db/postgres.ts'),
    ]);
  const database = createDatabase(
    openPostgres({ connectionString, poolSize: 1, onIdleError: () => undefined }),
  );
  try {
    if (await sharesConnections(connectionString)) {
      return [problem('database', SHARED_CONNECTIONS, USE_SESSIONS)];
    }
    return [
      ...(await checkServer(database)),
      await checkSchema(database),
      ...(await checkRestores(database)),
      ...(await checkNodes(database)),
      ...(rootKey === null ? [] : [await checkRootKey(database, rootKey)]),
    ];
  } catch (error) {
    return [
      problem(
        'database',
        `The database of DATABASE_URL does not answer (${whyOf(error)})`,
        'Check that it is running, that its address and password are right, and that this machine may connect.',
      ),
    ];
  } finally {
    await database.close();
  }
}

async function checkServer(database: Database): Promise<(Finding | ClockReading)[]> {
  const askedMs = systemClock.nowMs();
  const { version, versionName, nowMs, settings } = await findServerState(database.reads);
  const answeredMs = systemClock.nowMs();
  return [
    version >= OLDEST
      ? ok('database', `PostgreSQL ${versionName} answers`)
      : problem('database', `PostgreSQL ${versionName} is too old`, 'Use version 15 or later.'),
    ...judgeDurability(settings),
    {
      check: 'database’s clock',
      aheadMs: nowMs - (askedMs + answeredMs) / 2,
      slackMs: answeredMs - askedMs,
    },
  ];
}

/** Settings by which a database loses data that it has acknowledged. */
export function judgeDurability(settings: ReadonlyMap<string, string>): Finding[] {
  const off = ['fsync', 'full_page_writes'].filter((name) => settings.get(name) === 'off');
  const isLazy = settings.get('synchronous_commit') === 'off';
  if (off.length === 0 && !isLazy) {
    return [ok('durability', 'a commit is on disk before it is acknowledged')];
  }
  return [
    ...off.map((name) =>
      problem(
        'durability',
        `${name} is off: a power failure can corrupt the database`,
        `alter system set ${name} = on; then reload PostgreSQL.`,
      ),
    ),
    ...(isLazy
      ? [
          problem(
            'durability',
            'synchronous_commit is off: a crash can lose acknowledged writes',
            'alter system set synchronous_commit = on; then reload PostgreSQL.',
          ),
        ]
      : []),
  ];
}

async function checkSchema(database: Database): Promise<Finding> {
  try {
    await assertSameSchema(database);
    return ok('migrations', 'all are applied');
  } catch (error) {
    return problem(
      'migrations',
      (error as Error).message,
      'Start the version that the message names. If it names none, start this version once: it migrates the database.',
    );
  }
}

/** Reports the Workspaces that pay nothing. A database without the table is reported elsewhere. */
async function checkRestores({ reads }: Database): Promise<Finding[]> {
  const open = await listOpenRestores(reads).catch(() => []);
  if (open.length === 0) return [];
  return [
    problem(
      'restores',
      `The store was restored, so ${open.length === 1 ? '1 workspace pays' : `${open.length} workspaces pay`} nothing`,
      'Look at the page Restore of the console, or at goodword restores list, and release it once the providers were asked: see docs/backup.md.',
    ),
  ];
}

/** Checks how the store is distributed over the nodes of a Citus cluster, if the server has Citus. */
async function checkNodes({ reads }: Database): Promise<Finding[]> {
  const found = await findDistribution(reads);
  if (found === null) return [];
  if (found.distributed.length === 0) {
    return [ok('nodes', 'Citus is installed; the store is not distributed')];
  }
  if (!isWhole(found)) {
    return [
      problem(
        'nodes',
        'The store is only partly distributed',
        'Stop the service and run npm run distribute.',
      ),
    ];
  }
  const nodes = await listNodes(reads);
  const silent = nodes.filter(({ answers }) => !answers).map(({ name }) => name);
  if (silent.length === 0) {
    return [
      ok('nodes', `the store is distributed: ${found.shards} shards on ${nodes.length} nodes`),
    ];
  }
  return [
    problem(
      'nodes',
      `These nodes do not answer: ${silent.join(', ')}`,
      'Start them: their projects get 503 until then.',
    ),
  ];
}

async function checkRootKey(database: Database, rootKey: Buffer): Promise<Finding> {
  const opens = await canOpenNewestSecret(database.reads, createKeyring(rootKey)).catch(() => null);
  if (opens === null) return ok('root key', 'is set; there is no secret yet to test it with');
  if (opens) return ok('root key', 'decrypts the secrets in the database');
  return problem(
    'root key',
    'ROOT_KEY cannot decrypt the secrets in this database',
    'Set it to the key that the service was first started with, if necessary from a backup.',
  );
}
