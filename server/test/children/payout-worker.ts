// Does once what payouts wait for, at a given time, with providers at given addresses.
// usage: payout-worker.ts <database url> <root key in base64> <now in ms> <hosts as JSON>

import { holdConnection } from '../../src/outbound/integrations/payout-connections/payout-connection-store.ts';
import { createFindProvider } from '../../src/outbound/integrations/providers.ts';
import { createFindPayeeDetails } from '../../src/outbound/payouts/details/payee-details.ts';
import { runPayoutsOnce } from '../../src/outbound/payouts/worker.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';

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
