import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, test } from 'vitest';
import { ANSWER_BYTES_MAX } from '../../src/outbound/webhooks/sender/exchange.ts';
import { Fleet } from '../fleet.ts';
import { asProduct, type Behaviour, openInbox } from '../inbox.ts';
import { reconcile } from '../reconcile.ts';
import { openShop, type Shop } from '../shop.ts';

const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };
const TEN_MEGABYTES = Buffer.alloc(10_000_000, 'x');
const FACTS = 20;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.open();
  await fleet.startApi();
  await Promise.all([fleet.startWorker(), fleet.startWorker()]);
});
afterAll(() => fleet.close());

async function openCashShop(): Promise<Shop> {
  const shop = await openShop(fleet);
  await shop.addRule(CASH);
  return shop;
}

/** Writes a byte every now and then for as long as somebody listens. */
function drip(response: ServerResponse, text: string): void {
  const write = (index: number) => {
    if (response.destroyed || index === text.length) return;
    response.socket?.write(text.charAt(index));
    setTimeout(write, 700, index + 1);
  };
  write(0);
}

interface Fault {
  readonly name: string;
  readonly behave: Behaviour;
  /** Whether the answers count; if not, they are told as this. */
  readonly failure: { readonly status: number | null; readonly reason: string | null } | null;
}

const faults: Fault[] = [
  {
    name: 'never answers',
    behave: () => null,
    failure: { status: null, reason: 'timed_out' },
  },
  {
    name: 'resets the connection',
    behave: (_, response) => {
      response.socket?.resetAndDestroy();
      return null;
    },
    failure: { status: null, reason: 'connection_lost' },
  },
  {
    name: 'answers byte by byte, and has not come to the end of the headers in time',
    behave: (_, response) => {
      drip(response, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      return null;
    },
    failure: { status: null, reason: 'timed_out' },
  },
  {
    name: 'answers 200 in time, and byte by byte for ever after',
    behave: (event, response, count) => {
      const status = asProduct(event, response, count) as number;
      response.writeHead(status, { 'content-length': 1_000_000 }).flushHeaders();
      drip(response, 'x'.repeat(1_000_000));
      return status;
    },
    failure: null,
  },
  {
    name: 'answers 500, and 200 when asked again',
    behave: (event, response, count) => (count === 1 ? 500 : asProduct(event, response, count)),
    failure: { status: 500, reason: null },
  },
  {
    name: 'answers with 10 MB',
    behave: (event, response, count) => {
      const status = asProduct(event, response, count) as number;
      response.writeHead(status).end(TEN_MEGABYTES);
      return status;
    },
    failure: null,
  },
  {
    name: 'closes in the middle of the body',
    behave: (event, response, count) => {
      const status = asProduct(event, response, count) as number;
      response.writeHead(status, { 'content-length': 1_000 });
      response.write('only this', () => response.destroy());
      return status;
    },
    failure: null,
  },
  {
    name: 'answers with what is not HTTP',
    behave: (_, response) => {
      response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
      return null;
    },
    failure: { status: null, reason: 'invalid_answer' },
  },
];

// All at once, so that most of the time that they take is the same.
test.concurrent.for(faults)(
  'a receiver that $name: others get everything meanwhile, and it gets all in the end',
  async ({ behave, failure }, { expect }) => {
    const [shop, other] = [await openCashShop(), await openCashShop()];
    const faulty = await openInbox(fleet, shop, behave);
    const healthy = [await openInbox(fleet, shop), await openInbox(fleet, other)];
    const acknowledged = await Promise.all(
      [shop, other].flatMap((one) =>
        Array.from({ length: FACTS }, async (_, n) => ({
          shop: one,
          eventId: await (n % 4 === 0 ? one.signUp(`p-${n}`) : one.order(`o-${n}`)),
        })),
      ),
    );
    for (const { missing } of healthy) await expect.poll(missing, { timeout: 40_000 }).toBe(0);
    if (failure?.reason === 'timed_out') {
      await expect.poll(faulty.inFlight, { timeout: 5_000 }).toBeGreaterThan(0);
    }
    if (failure?.status !== 500) faulty.behave = asProduct;
    for (const { projectId } of [shop.project, other.project]) {
      await fleet.drain({ projectId, waitsForRetries: false });
    }
    await reconcile(fleet, [faulty, ...healthy], acknowledged);

    const attempts = await fleet.database.reads.query<{
      outcome: string;
      status: number | null;
      reason: string | null;
      length: number;
    }>(
      `select outcome, response_status as status, failure_reason as reason,
         coalesce(length(response_body), 0) as length
       from webhook_attempts where project_id = $1 and endpoint_id = $2`,
      [shop.project.projectId, faulty.endpointId],
    );
    const longest = Math.max(...attempts.map(({ length }) => length));
    expect(longest).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
    const retried = attempts.filter(({ outcome }) => outcome === 'retrying');
    if (failure) expect(retried).not.toEqual([]);
    const unexpected = retried.filter(
      ({ status, reason }) => status !== failure?.status || reason !== failure?.reason,
    );
    expect(unexpected).toEqual([]);
    await Promise.all([faulty, ...healthy].map((inbox) => inbox.close()));
  },
);
