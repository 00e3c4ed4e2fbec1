// Delivers what is due, round after round, in a process of its own that tests kill.
// usage: reward-worker.ts <database url> <port of Stripe> <root key, hex> <now, ms>
import { createDatabase } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { createProjectWriter } from '../../src/feed/writer.ts';
import { createRewardProviders } from '../../src/integrations/stripe/reward-providers.ts';
import { createStripeAccounts } from '../../src/integrations/stripe/stripe-accounts.ts';
import { makeNewId } from '../../src/kit/ids.ts';
import { createKeyring } from '../../src/kit/keyring.ts';
import { makeDeliverRewards } from '../../src/rewards/deliver-rewards.ts';
import { queueDeliveries } from '../../src/webhooks/queue-deliveries.ts';

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
