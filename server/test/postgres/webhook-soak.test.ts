import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { Fleet } from '../fleet.ts';
import { asProduct, type Behaviour, type Inbox, openInbox } from '../inbox.ts';
import { startLoad } from '../load.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../private-postgres.ts';
import type { Program } from '../process.ts';
import { makeRandom } from '../random.ts';
import { reconcile } from '../reconcile.ts';
import { openShop, type Shop } from '../shop.ts';

const SECONDS = Number(process.env.TEST_SOAK_SECONDS ?? 0);
const SEED = Number(process.env.TEST_SOAK_SEED ?? Date.now() % 1_000_000);
/** For what is left when all is well again. */
const DRAIN_MS = 180_000;
const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };
const WORKERS = 2;
const TEN_MEGABYTES = Buffer.alloc(10_000_000, 'x');

let postgres: PrivatePostgres;
let fleet: Fleet;
const inboxes: Inbox[] = [];
beforeAll(async () => {
  if (SECONDS === 0) return;
  postgres = await startPrivatePostgres();
  fleet = await Fleet.open(postgres.url);
  await fleet.startApi();
});
afterAll(async () => {
  if (SECONDS === 0) return;
  await Promise.all(inboxes.map((inbox) => inbox.close()));
  await fleet.close();
  await postgres.stop();
});

type Random = ReturnType<typeof makeRandom>;

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T;
}

/** Answers what the product would, but in a way of its own. */
const answering =
  (answer: (response: ServerResponse, status: number) => void): Behaviour =>
  async (...request) => {
    const status = (await asProduct(...request)) as number;
    answer(request[1], status);
    return status;
  };

const MISBEHAVIOURS: readonly Behaviour[] = [
  () => 500,
  () => 404,
  () => null,
  (_, response) => {
    response.socket?.resetAndDestroy();
    return null;
  },
  (_, response) => {
    response.socket?.end('220 mail.example.com ESMTP\r\n');
    return null;
  },
  answering((response, status) => response.writeHead(status).end(TEN_MEGABYTES)),
  answering((response, status) => {
    response.writeHead(status, { 'content-length': 1_000 });
    response.write('only this', () => response.destroy());
  }),
];

/** Well nine times out of ten, soon or a little later. */
function moody(random: Random): Behaviour {
  return async (...request) => {
    if (random(10) === 0) return pick(random, MISBEHAVIOURS)(...request);
    await delay(random(100));
    return asProduct(...request);
  };
}

async function openShops(behave: Behaviour): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (const endpoints of [2, 2, 1]) {
    const shop = await openShop(fleet);
    await shop.addRule(CASH);
    for (let n = 0; n < endpoints; n += 1) inboxes.push(await openInbox(fleet, shop, behave));
    shops.push(shop);
  }
  return shops;
}

interface Accidents {
  readonly byName: Readonly<Record<string, () => Promise<void>>>;
  /** Waits for the processes that were told to stop. */
  over(): Promise<void>;
}

/** What can happen to the processes and their database. */
function makeAccidents(random: Random, workers: Program[]): Accidents {
  const stopping: Promise<unknown>[] = [];
  const replaceWorker = async (signal: NodeJS.Signals) => {
    const ended = workers.shift()?.kill(signal);
    // One that is told to stop may take as long as receivers take to answer.
    if (signal === 'SIGKILL') await ended;
    else stopping.push(Promise.resolve(ended));
    workers.push(await fleet.startWorker());
  };
  const replaceApi = async () => {
    await fleet.api?.kill('SIGKILL');
    await fleet.startApi(pick(random, ['api', 'all']));
  };
  return {
    byName: {
      'api killed': replaceApi,
      'worker killed': () => replaceWorker('SIGKILL'),
      'worker stopped': () => replaceWorker('SIGTERM'),
      'api and workers killed': async () => {
        const all = Array.from({ length: WORKERS }, () => replaceWorker('SIGKILL'));
        await Promise.all([replaceApi(), ...all]);
      },
      'database restarted': () => postgres.restart('fast'),
      'database crashed': () => postgres.restart('immediate'),
    },
    over: async () => void (await Promise.all(stopping)),
  };
}

test.skipIf(SECONDS === 0)(
  'whatever is killed, whenever: what was published is what was delivered',
  { timeout: SECONDS * 1_000 + DRAIN_MS + 120_000 },
  async () => {
    console.log(`soak: TEST_SOAK_SECONDS=${SECONDS} TEST_SOAK_SEED=${SEED}`);
    const shops = await openShops(moody(makeRandom(SEED)));
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => fleet.startWorker()));
    const random = makeRandom(SEED);
    const accidents = makeAccidents(random, workers);
    const happened = new Map<string, number>();
    const load = startLoad(shops, { pauseMs: 30 });
    const until = Date.now() + SECONDS * 1_000;
    while (Date.now() < until) {
      await delay(500 + random(2_500));
      const name = pick(random, Object.keys(accidents.byName));
      await accidents.byName[name]?.();
      happened.set(name, (happened.get(name) ?? 0) + 1);
    }

    for (const inbox of inboxes) inbox.behave = asProduct;
    await Promise.all([load.stop(), accidents.over()]);
    const left = await fleet.queued();
    await fleet.drain({ waitsForRetries: false, timeoutMs: DRAIN_MS });
    const events = await reconcile(fleet, inboxes, load.acknowledged);
    const [attempts] = await fleet.database.reads.query<Record<string, number>>(
      `select count(*)::integer as made,
         count(*) filter (where outcome = 'succeeded')::integer as succeeded
       from webhook_attempts`,
    );
    console.log({
      facts: load.acknowledged.length,
      events: events.length,
      requests: inboxes.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
      attempts,
      waitingAtTheEnd: left,
      accidents: Object.fromEntries(happened),
    });
  },
);
