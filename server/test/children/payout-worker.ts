// Does once what payouts wait for, at a given time, with providers at given addresses.
// usage: payout-worker.ts <database url> <root key in base64> <now in ms> <hosts as JSON>
import { createDatabase } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { createProjectWriter } from '../../src/feed/writer.ts';
import { createFindProvider } from '../../src/integrations/find-provider.ts';
import { holdConnection } from '../../src/integrations/hold-connection.ts';
import { makeNewId } from '../../src/kit/ids.ts';
import { createKeyring } from '../../src/kit/keyring.ts';
import { createFindPayeeDetails } from '../../src/payouts/payee-details.ts';
import { runPayoutsOnce } from '../../src/payouts/worker.ts';
import { queueDeliveries } from '../../src/webhooks/queue-deliveries.ts';

const [url, rootKey, now, hosts] = process.argv.slice(2) as [string, string, string, string];
const database = createDatabase(
  openPostgres({ connectionString: url, poolSize: 4, onIdleError: () => undefined }),
);
const clock = { nowMs: () => Number(now) };
const newId = makeNewId(clock.nowMs);
const keyring = createKeyring(Buffer.from(rootKey, 'base64'));
const { reads } = database;
await runPayoutsOnce(
  {
    database,
    clock,
    newId,
    writer: createProjectWriter({
      fanOut: queueDeliveries,
      database,
      clock,
      newId,
      queueMax: 1_000,
    }),
    findDetails: createFindPayeeDetails({ reads, clock, keyring }),
    findProvider: createFindProvider({ reads, keyring, clock, hosts: JSON.parse(hosts) }),
    holdConnection,
  },
  (error) => {
    throw error;
  },
);
await database.close();
