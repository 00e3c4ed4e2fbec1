// Delivers what is due, round after round, in a process of its own that tests kill.
// usage: reward-worker.ts <database url> <port of Stripe> <root key, hex> <now, ms>

import { makeDeliverRewards } from '../../src/domain/rewards/delivery/deliver-rewards.ts';
import { createRewardProviders } from '../../src/outbound/integrations/providers.ts';
import { createStripeAccounts } from '../../src/outbound/integrations/stripe/connections/client.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';

const [url, port, rootKey, now] = process.argv.slice(2) as [string, string, string, string];
const clock = { nowMs: () => Number(now) };
const database = createDatabase(
  openPostgres({ connectionString: url, poolSize: 4, onIdleError: () => undefined }),
);
const newId = makeNewId(clock.nowMs);
const keyring = createKeyring(Buffer.from(rootKey, 'hex'));
const deliver = makeDeliverRewards(
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
    providers: createRewardProviders(
      createStripeAccounts(
        { reads: database.reads, keyring },
        { host: '127.0.0.1', port: Number(port), protocol: 'http', timeoutMs: 60_000 },
      ),
    ),
  },
  (error) => process.stderr.write(`${(error as Error).stack}\n`),
);
while ((await deliver()) > 0);
await database.close();
