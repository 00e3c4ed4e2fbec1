import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openProviders } from '../../outbound/integrations/providers.ts';
import { findDrift } from '../../outbound/reconciliation/reconcile.ts';
import { listSources } from '../../outbound/reconciliation/sources.ts';
import {
  ConfigError,
  type Environment,
  readVerifyConfig,
  type VerifyConfig,
} from '../../platform/config/config.ts';
import { findRootKey } from '../../platform/config/secret-files.ts';
import { createDatabase, type Database, sqlState } from '../../platform/db/database.ts';
import { FolderInUseError } from '../../platform/db/embedded/folder-lock.ts';
import { assertSameSchema } from '../../platform/db/migrate.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { AppError } from '../../platform/kit/errors.ts';
import { createKeyring } from '../../platform/kit/keyring.ts';
import { describeDrift, type Finding } from './findings.ts';
import { type AskOthers, verifyAll, type Watcher } from './verify-all.ts';

const VERIFY_HELP = `npm run verify -- [--project <id>] [--recount] [--providers] [--json]

Recomputes rewards, recounts counters and checks the invariants of the store in DATA_DIR or
DATABASE_URL, and reports what differs. Changes nothing without --recount.

  --project <id>  Only this project, prj_…
  --recount       First recount the counters of caps, "once" and earning periods from the rewards.
                  Stop processes of earlier versions before; writes to a project wait meanwhile
  --providers     Also compare each delivery with the records of PayPal, Wise and Stripe. With
                  DATABASE_URL, this needs ROOT_KEY to decrypt the credentials of the connections
  --json          Print the result as JSON

Exit code: 0 if nothing differs, 1 if something differs, 2 if it could not run.
`;

/** Where to print results and progress. */
export interface Printer {
  out(text: string): void;
  err(text: string): void;
}

/** An error that the operator can fix: printed as a sentence, without a stack. */
class VerifyError extends Error {
  override readonly name = 'VerifyError';
}

const PROGRESS_MS = 1_000;

/** Runs the command. Returns 0 if nothing differs, 1 if something does, 2 if it could not run. */
export async function runVerify(
  args: readonly string[],
  env: Environment,
  clock: Clock,
  printer: Printer,
): Promise<0 | 1 | 2> {
  try {
    const asked = parseArguments(args);
    if (asked.help) {
      printer.out(VERIFY_HELP);
      return 0;
    }
    const config = readVerifyConfig(env);
    const database = await openDatabase(config);
    try {
      await assertSameSchema(database).catch(explainSchema);
      const askOthers = asked.providers
        ? await openBooks(config, database, clock, printer)
        : undefined;
      return await report(database, asked, { clock, printer, askOthers });
    } finally {
      await database.close();
    }
  } catch (error) {
    const isExpected =
      error instanceof VerifyError || error instanceof ConfigError || error instanceof AppError;
    const text = isExpected ? error.message : ((error as Error).stack ?? String(error));
    printer.err(`Goodword cannot verify.\n${text}\n`);
    return 2;
  }
}

const UNDEFINED_TABLE = '42P01';

/** Some socket errors have a code and no message. */
function explainSchema(error: NodeJS.ErrnoException): never {
  if (sqlState(error) === UNDEFINED_TABLE) {
    throw new VerifyError('The database has no Goodword store yet. Start the service first.');
  }
  throw new VerifyError(error.message || String(error.code));
}

interface Asked {
  readonly project: string | null;
  readonly recount: boolean;
  readonly providers: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

function parseArguments(args: readonly string[]): Asked {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        project: { type: 'string' },
        recount: { type: 'boolean', default: false },
        providers: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
    return { ...values, project: values.project ?? null };
  } catch (error) {
    throw new VerifyError(`${(error as Error).message}\n\n${VERIFY_HELP}`.trimEnd());
  }
}

async function openDatabase({ dataDir, databaseUrl }: VerifyConfig): Promise<Database> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import('../../platform/db/postgres.ts');
    const options = { connectionString: databaseUrl, poolSize: 1, onIdleError: () => undefined };
    return createDatabase(openPostgres(options));
  }
  const noStore = () =>
    new VerifyError(
      `There is no Goodword store in ${dataDir}. Set DATA_DIR to its folder, or DATABASE_URL to its PostgreSQL.`,
    );
  // Looking for a store must not create one.
  if (!existsSync(dataDir)) throw noStore();
  const onCreate = () => {
    throw noStore();
  };
  const { openEmbedded } = await import('../../platform/db/embedded/open-embedded.ts');
  try {
    return createDatabase(await openEmbedded(dataDir, { onCreate }));
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw new VerifyError((error as Error).message);
    throw new VerifyError(
      `The service is running on the data folder ${dataDir}, and the embedded database serves one process at a time.\nStop the service, run npm run verify, and start it again. (A store on PostgreSQL can be verified while the service runs.)`,
    );
  }
}

/** Asks the connected providers. Those that cannot answer are reported but cause no difference. */
async function openBooks(
  config: VerifyConfig,
  { reads }: Database,
  clock: Clock,
  printer: Printer,
): Promise<AskOthers> {
  const rootKey = await findRootKey(config);
  if (rootKey === null) throw new VerifyError('ROOT_KEY is required to ask providers.');
  const providers = openProviders({ reads, keyring: createKeyring(rootKey), clock });
  const sources = listSources(reads, providers);
  return async (projectId) => {
    const drift = await findDrift(sources, projectId);
    const unanswered = drift.filter(({ verdict }) => verdict === 'unanswered');
    for (const { method, subject, id } of unanswered) {
      printer.err(`${projectId} ${subject} ${id}: ${method} gave no answer.\n`);
    }
    return describeDrift(drift);
  };
}

interface Reporting {
  readonly clock: Clock;
  readonly printer: Printer;
  readonly askOthers: AskOthers | undefined;
}

async function report(
  database: Database,
  { project, recount: recounts, json }: Asked,
  { clock, printer, askOthers }: Reporting,
): Promise<0 | 1> {
  const findings: Finding[] = [];
  let [projects, differences] = [0, 0];
  let where = '';
  let reportedAt = clock.nowMs();
  const watcher: Watcher = {
    begin(projectId, place, of) {
      where = `${projectId} (${place} of ${of})`;
    },
    progress(what, done, total) {
      if (clock.nowMs() - reportedAt < PROGRESS_MS) return;
      reportedAt = clock.nowMs();
      printer.err(`${where}: ${what}, ${done} of ${total}\n`);
    },
    recounted(corrected) {
      if (corrected > 0) printer.err(`${where}: ${corrected} counters corrected\n`);
    },
    end({ kept, total }) {
      projects += 1;
      differences += total;
      if (json) findings.push(...kept);
      else printer.out(kept.map(toLine).join(''));
      const left = total - kept.length;
      if (left > 0 && !json) printer.out(`${where}: and ${left} more\n`);
    },
  };
  await verifyAll(database, project, watcher, { askOthers, recounts });
  printer.out(
    json
      ? `${JSON.stringify({ projects, differences, findings }, null, 2)}\n`
      : `${projects} ${projects === 1 ? 'project' : 'projects'} verified: ${differences === 0 ? 'nothing differs' : `${differences} ${differences === 1 ? 'difference' : 'differences'}`}.\n`,
  );
  return differences === 0 ? 0 : 1;
}

function toLine({ projectId, subject, id, field, stored, expected }: Finding): string {
  return `${projectId} ${subject} ${id}: ${field} is ${stored}, should be ${expected}\n`;
}
