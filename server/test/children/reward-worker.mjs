// Delivers what is due, round after round, in a process of its own that tests kill.
// usage: reward-worker.mjs <database url> <port of Stripe> <root key, hex> <now, ms>
import { createDatabase } from '../../dist/db/database.js';
import { openPostgres } from '../../dist/db/postgres.js';
import { createProjectWriter } from '../../dist/feed/writer.js';
import { createRewardProviders } from '../../dist/integrations/stripe/reward-providers.js';
import { createStripeAccounts } from '../../dist/integrations/stripe/stripe-accounts.js';
import { makeNewId } from '../../dist/kit/ids.js';
import { createKeyring } from '../../dist/kit/keyring.js';
import { makeDeliverRewards } from '../../dist/rewards/deliver-rewards.js';
import { queueDeliveries } from '../../dist/webhooks/queue-deliveries.js';

const [url, port, rootKey, now] = process.argv.slice(2);
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
  (error) => process.stderr.write(`${error.stack}\n`),
);
while ((await deliver()) > 0);
await database.close();
