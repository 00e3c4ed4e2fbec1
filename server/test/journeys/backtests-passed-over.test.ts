import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { proposeBook } from '../../src/domain/backtests/decide/propose-book.ts';
import { replayHistory } from '../../src/domain/backtests/replay-history.ts';
import { loadBook } from '../../src/domain/programs/load-book.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { type AdjustShop, openAdjustShop } from '../adjust-shop.ts';
import { findingsOf } from '../backtest-findings.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { fillRandomly } from '../random-history.ts';

const ALWAYS = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
const risk = { keyring: createKeyring(ROOT_KEY), listAccounts };
const person = (externalId: string) => ({ kind: 'individual', externalId });
const group = (externalId: string) => ({ kind: 'group', externalId });

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

let shop: AdjustShop;
let project: TestProject;
let programId: string;
let orders = 0;

async function send(path: string, body: object, method: 'POST' | 'PUT' = 'POST') {
  service.clock.advance(10);
  const { key: as, projectId } = project;
  const answer = await service.call(method, path, { as, body: { projectId, ...body } });
  expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
  return answer.body;
}

const tell = (body: object) =>
  send('/v1/track/events', { sourceNamespaceId: shop.sourceNamespaceId, ...body });
const signUp = (participant: object, more: object = {}) =>
  tell({ type: 'signup', participant, ...more });
async function buy(participant: object, more: object = {}): Promise<string> {
  orders += 1;
  const purchase = { amountMinor: '1000', currency: 'USD' };
  await tell({ type: 'purchase', participant, sourceEventId: `o${orders}`, purchase, ...more });
  return `o${orders}`;
}
async function refund(order: string): Promise<void> {
  service.clock.advance(10);
  const told = { kind: 'refund', id: `refund-${order}`, order, amountMinor: '400' };
  expect((await shop.adjust(told)).status).toBe(200);
}
async function click(ref: string): Promise<string> {
  const asked = { projectKey: project.projectKey, ref, url: 'https://example.com/' };
  service.clock.advance(DAY_MS / 24);
  return (await service.call('POST', '/v1/clicks', { body: asked })).body.handle;
}

beforeEach(async () => {
  shop = await openAdjustShop(service);
  ({ project, programId } = shop);
  await send(`/v1/programs/${programId}/attribution-policies`, { windowDays: 1 });
});

/** What is found if facts are passed over, and if none is. */
async function replayBoth(windowDays: number | null) {
  const { projectId } = project;
  const actual = await loadBook(service.database.reads, projectId);
  const policy = { model: 'first_touch', bindingTrigger: 'signup' } as const;
  const proposed =
    windowDays === null
      ? actual
      : proposeBook(
          actual,
          programId,
          { attribution: { ...policy, windowDays }, risk: null, rules: [] },
          ALWAYS,
        );
  const asked = { projectId, programId, actual, proposed, ...ALWAYS };
  const run = (options: object) =>
    replayHistory(service.database.reads, asked, { risk, ...options });
  return { some: await run({ page: 3 }), all: await run({ needsAll: true }) };
}

async function addStrangers(howMany: number): Promise<void> {
  for (let n = 0; n < howMany; n += 1) {
    const stranger = person(`stranger-${orders}`);
    await signUp(stranger);
    const order = await buy(stranger);
    if (n % 3 === 0) await refund(order);
  }
}

interface Case {
  readonly name: string;
  /** Proposed; in force is one day. */
  readonly windowDays: number | null;
  happens(): Promise<void>;
  /** The net money of the Program, actual and proposed. */
  readonly found: readonly [string, string];
}

const CASES: readonly Case[] = [
  {
    name: 'somebody is bound by a click only if the window is longer',
    windowDays: 90,
    async happens() {
      const handle = await click('ada');
      service.clock.advance(3 * DAY_MS);
      await signUp(person('zoe'), { identify: { handle } });
      await addStrangers(2);
      const order = await buy(person('zoe'));
      await addStrangers(1);
      await refund(order);
    },
    found: ['0', '60'],
  },
  {
    name: 'a group is credited by its creator only if the window is longer',
    windowDays: 90,
    async happens() {
      const handle = await click('ada');
      service.clock.advance(3 * DAY_MS);
      await signUp(person('zoe'), { identify: { handle } });
      await addStrangers(1);
      await signUp(group('acme'), { actor: person('zoe') });
      await addStrangers(1);
      await buy(group('acme'));
    },
    found: ['0', '100'],
  },
  {
    name: 'a start binds who sent a code before',
    windowDays: null,
    async happens() {
      await send(`/v1/programs/${programId}/attribution-policies`, {
        windowDays: 90,
        bindingTrigger: 'subscription',
      });
      await signUp(person('cleo'), { refCode: 'ada' });
      await addStrangers(2);
      await send('/v1/track/subscriptions', {
        sourceNamespaceId: shop.sourceNamespaceId,
        sourceEventId: 'started',
        participant: person('cleo'),
        subscriptionId: 's1',
        change: 'started',
        occurredAt: service.clock.now,
      });
      await addStrangers(1);
      await buy(person('cleo'));
    },
    found: ['100', '100'],
  },
  {
    name: 'what was credited counts although its click is gone',
    windowDays: null,
    async happens() {
      await signUp(person('eve'), { refCode: 'ada' });
      await buy(person('eve'));
      await addStrangers(2);
      await service.database.transaction(async (tx) =>
        tx.send('delete from touches where project_id = $1', [project.projectId]),
      );
    },
    found: ['100', '100'],
  },
];

test.each(CASES)('facts that can give nothing are passed over: $name', async (one) => {
  await addStrangers(4);
  await one.happens();
  await addStrangers(4);
  const { some, all } = await replayBoth(one.windowDays);
  expect(findingsOf(some, programId)).toEqual(findingsOf(all, programId));
  expect(some.kept.people).toBeLessThan(all.kept.people - 8);
  const [money] = [...some.events.own.all.values()];
  expect([money?.actual ?? 0n, money?.proposed ?? 0n].map(String)).toEqual(one.found);
});

test.each([1, 3])('the same in a random history with seed %i', async (seed) => {
  const shape = { hasLoyalty: false, strangers: 60 };
  const filled = await fillRandomly(service, seed, 250, shape);
  [project, programId] = [filled, filled.programId];
  for (const windowDays of [null, 365]) {
    const { some, all } = await replayBoth(windowDays);
    expect(findingsOf(some, programId)).toEqual(findingsOf(all, programId));
    expect(some.kept.people).toBeLessThan(all.kept.people * 0.8);
  }
});

async function addAlias(): Promise<void> {
  const known = (name: string, email: string) =>
    send('/v1/participants', { participant: person(name), email }, 'PUT');
  await known('ada', 'ada@example.com');
  await known('mallory', 'a.da+2@example.com');
  await signUp(person('mallory'), { refCode: 'ada' });
}

test('reviews are the same', async () => {
  await send(`/v1/programs/${programId}/risk-policies`, { mode: 'review', reviewAt: 60 });
  await addStrangers(5);
  await addAlias();
  await addStrangers(5);
  const { some, all } = await replayBoth(90);
  expect(findingsOf(some, programId)).toEqual(findingsOf(all, programId));
  expect(findingsOf(some, programId).reviews).toMatchObject({ actual: 1, proposed: 1 });
});

test('who is referred while it runs was passed over: a refund of an older purchase is no gap', async () => {
  const zoe = person('zoe');
  await signUp(zoe);
  const order = await buy(zoe);
  await addStrangers(8);
  await refund(order);
  await addStrangers(4);
  const book = await loadBook(service.database.reads, project.projectId);
  let pages = 0;
  const asked = {
    projectId: project.projectId,
    programId,
    actual: book,
    proposed: book,
    ...ALWAYS,
  };
  const { events, refused } = await replayHistory(service.database.reads, asked, {
    page: 1,
    onPage: async () => {
      pages += 1;
      // The first page ends with who was referred before.
      if (pages !== 2) return;
      const rows = [{ externalId: 'zoe', referredByCode: 'ada' }];
      await send('/v1/imports/rows', { programId, rows });
    },
  });
  expect(pages).toBeGreaterThan(2);
  expect({ refused, notReproduced: events.notReproduced }).toEqual({
    refused: 0,
    notReproduced: 0,
  });
});

test('what an erased person was judged by is forgotten: nobody judges it anew', async () => {
  await send(`/v1/programs/${programId}/risk-policies`, { mode: 'review', reviewAt: 1 });
  await signUp(person('cal'), { refCode: 'ada' });
  const none = { emailDomains: [], networks: [], participants: [] };
  const lists = { allowed: none, watched: { ...none, participants: [person('ada')] } };
  await send(`/v1/projects/${project.projectId}/risk-lists`, lists, 'PUT');
  const reviewsOf = async () => findingsOf((await replayBoth(null)).some, programId).reviews;
  expect(await reviewsOf()).toMatchObject({ actual: 0, proposed: 0 });
  const { key: as, projectId } = project;
  const query = { projectId, externalId: 'cal' };
  const [{ id }] = (await service.call('GET', '/v1/participants', { as, query })).body.data;
  const erased = await service.call('DELETE', `/v1/participants/${id}`, {
    as,
    query: { projectId, force: 'true' },
  });
  expect(erased.status).toBe(200);
  expect(await reviewsOf()).toMatchObject({ actual: 0, proposed: 0 });
});
