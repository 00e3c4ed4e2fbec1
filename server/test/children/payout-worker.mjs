// Does once what payouts wait for, at a given time, with providers at given addresses.
// usage: payout-worker.mjs <database url> <root key in base64> <now in ms> <hosts as JSON>
import { createDatabase } from '../../dist/db/database.js';
import { openPostgres } from '../../dist/db/postgres.js';
import { createProjectWriter } from '../../dist/feed/writer.js';
import { createFindProvider } from '../../dist/integrations/find-provider.js';
import { holdConnection } from '../../dist/integrations/hold-connection.js';
import { makeNewId } from '../../dist/kit/ids.js';
import { createKeyring } from '../../dist/kit/keyring.js';
import { createFindPayeeDetails } from '../../dist/payouts/payee-details.js';
import { runPayoutsOnce } from '../../dist/payouts/worker.js';
import { queueDeliveries } from '../../dist/webhooks/queue-deliveries.js';

const [url, rootKey, now, hosts] = process.argv.slice(2);
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
