import { parseArgs } from 'node:util';
import { ConfigError, type Environment, readVerifyConfig } from '../../platform/config/config.ts';
import {
  countServices,
  distribute,
  findDistribution,
  isWhole,
  listNodes,
  StoreInUseError,
} from '../../platform/db/citus.ts';
import { createDatabase, type Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { openPostgres } from '../../platform/db/postgres.ts';
import type { Printer } from '../verify/verify-command.ts';

const HELP = `npm run distribute -- [--shards <number>]

Distributes the store in DATABASE_URL, a Citus coordinator, over the nodes of its cluster: every table
of projects by project_id, all rows of a project on one node. Stop the service first. It can be
interrupted and repeated: what is distributed already stays as it is. docs/scaling.md explains when
this helps.

  --shards <number>  Parts to divide the projects into, 1 to 1024. Choose a few times the number of
                     nodes you expect: changing it later needs alter_distributed_table. The default
                     is citus.shard_count of the coordinator, usually 32

Exit code: 0 if the store is distributed, 2 if it could not be.
`;

/** An error that the operator can fix: printed as a sentence, without a stack. */
class DistributeError extends Error {
  override readonly name = 'DistributeError';
}

/** Runs the command. Returns 0 if the store is distributed, 2 if it could not be. */
export async function runDistribute(
  args: readonly string[],
  env: Environment,
  printer: Printer,
): Promise<0 | 2> {
  try {
    const asked = parseArguments(args);
    if (asked.help) {
      printer.out(HELP);
      return 0;
    }
    const database = openDatabase(env);
    try {
      await distributeStore(database, asked.shards, printer);
    } finally {
      await database.close();
    }
    return 0;
  } catch (error) {
    const isExpected = error instanceof DistributeError || error instanceof ConfigError;
    const text = isExpected ? error.message : ((error as Error).stack ?? String(error));
    printer.err(`Goodword cannot distribute the store.\n${text}\n`);
    return 2;
  }
}

function parseArguments(args: readonly string[]): { shards: number | null; help: boolean } {
  const fail = (why: string) => new DistributeError(`${why}\n\n${HELP}`.trimEnd());
  let values: { shards?: string | undefined; help: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        shards: { type: 'string' },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    }));
  } catch (error) {
    throw fail((error as Error).message);
  }
  const { shards, help } = values;
  if (shards === undefined) return { shards: null, help };
  if (!/^[1-9]\d{0,3}$/.test(shards) || Number(shards) > 1024) {
    throw fail('--shards must be a whole number from 1 to 1024.');
  }
  return { shards: Number(shards), help };
}

function openDatabase(env: Environment): Database {
  const { databaseUrl } = readVerifyConfig(env);
  if (databaseUrl === null) {
    throw new DistributeError(
      'Set DATABASE_URL to a Citus coordinator. The embedded database runs on one machine only.',
    );
  }
  const options = { connectionString: databaseUrl, poolSize: 1, onIdleError: () => undefined };
  return createDatabase(openPostgres(options));
}

async function distributeStore(
  database: Database,
  shards: number | null,
  { out }: Printer,
): Promise<void> {
  const { reads } = database;
  const found = await findDistribution(reads).catch((error: NodeJS.ErrnoException) => {
    const why = error.message || String(error.code);
    throw new DistributeError(`The database of DATABASE_URL does not answer (${why}).`);
  });
  if (found === null) {
    throw new DistributeError(
      'The database of DATABASE_URL has no Citus extension. Install Citus on the server, run "create extension citus" in this database, and add the worker nodes with citus_add_node.',
    );
  }
  if (shards !== null && found.distributed.length > 0 && shards !== found.shards) {
    throw new DistributeError(
      `The store is distributed over ${found.shards} shards already. Run this without --shards; Citus changes the number with alter_distributed_table.`,
    );
  }
  const nodes = await listNodes(reads);
  if (nodes.length === 0) {
    throw new DistributeError(
      'The cluster has no node for shards. Add worker nodes with citus_add_node.',
    );
  }
  const silent = nodes.filter(({ answers }) => !answers);
  if (silent.length > 0) {
    throw new DistributeError(
      `These nodes do not answer: ${silent.map(({ name }) => name).join(', ')}. Start them first.`,
    );
  }
  const services = await countServices(reads);
  if (services > 0) throw inUse(services);
  await migrate(database, undefined, ({ name, number, of }) =>
    out(`Migration ${number} of ${of}: ${name}\n`),
  );
  const before = await findDistribution(reads);
  const isRepeated = before !== null && isWhole(before);
  await distribute(database, shards, ({ table, number, of }) =>
    out(`Table ${number} of ${of}: ${table}\n`),
  ).catch((error: unknown) => {
    throw error instanceof StoreInUseError ? inUse(error.services) : error;
  });
  const { shards: made } = (await findDistribution(reads)) ?? { shards: 0 };
  const where = describe(made, nodes.length);
  out(
    isRepeated
      ? `The store is distributed already: ${where}.\n`
      : `The store is distributed: ${where}. Start the service again.\n`,
  );
}

function describe(shards: number, nodes: number): string {
  return `${shards} ${shards === 1 ? 'shard' : 'shards'} on ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
}

function inUse(services: number): DistributeError {
  const who =
    services === 1 ? 'A process of the service uses' : `${services} processes of the service use`;
  return new DistributeError(
    `${who} this database. Stop the service, run npm run distribute, and start it again.`,
  );
}
