import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { makeRandom } from '../random.ts';
import { sample } from '../rounds.ts';
import { openShop, type Shop } from '../shop.ts';

/** Each is referred by ada with an address of hers, and under review. */
const REFEREES = 6;
const FRIENDS = 3;
const USD = { currency: 'USD', currencyExponent: 2 };
const MUG = { benefitKind: 'cash', calculation: 'milestone', fixedAmountMinor: '500', ...USD };

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const person = (externalId: string) => ({ kind: 'individual', externalId });

async function setUp(shop: Shop): Promise<void> {
  const { programId } = shop;
  const points = { email_alias: 100 };
  const post = async (path: string, body: object) => {
    const { status, body: answer } = await shop.post(path, body);
    expect([path, status, answer]).toMatchObject([path, 200, {}]);
  };
  await post(`/v1/programs/${programId}/risk-policies`, { mode: 'review', points, reviewAt: 100 });
  await shop.addRule({ benefitKind: 'credit', calculation: 'percentage', rateBps: 1_000 });
  for (const [eventType, measure, at] of [
    ['signup', 'referrals', '2'],
    ['purchase', 'purchases', '3'],
  ] as const) {
    const rule = { programId, eventType, purpose: 'bonus', beneficiaryRole: 'referrer' };
    const milestone = { measure, at, repeat: true };
    const terms = { ...MUG, durationMode: 'once', milestone };
    await post('/v1/benefit-rules', { ...rule, name: measure, terms });
  }
  const name = async (externalId: string, email: string) => {
    const { projectId, key } = shop.project;
    const body = { projectId, participant: person(externalId), email };
    expect((await service.call('PUT', '/v1/participants', { as: key, body })).status).toBe(200);
  };
  await name('ada', 'ada@example.com');
  for (let n = 0; n < REFEREES; n += 1) {
    await name(`c${n}`, `ada+${n}@example.com`);
    await shop.signUp(`c${n}`);
  }
}

test.each(sample([1, 2, 3, 4, 5, 6, 7, 8], 2))(
  'decisions beside each other, purchases, refunds, signups and erasures (seed %i): one wins, and what counts is what it leaves',
  async (seed) => {
    const random = makeRandom(seed);
    const shop = await openShop(service);
    await setUp(shop);
    const { projectId, key } = shop.project;
    const { sourceNamespaceId } = shop;
    const counted = new Map<string, number>();
    const count = (who: string, by: number) => counted.set(who, (counted.get(who) ?? 0) + by);

    const buy = async (who: string, order: string) => {
      const purchase = { amountMinor: '1000', currency: 'USD' };
      const facts = { type: 'purchase', participant: person(who), sourceEventId: order, purchase };
      const { status, body } = await shop.post('/v1/track/events', { sourceNamespaceId, ...facts });
      if (status === 200) count(who, 1);
      else expect(body.error.reason).toBe('participant_deleted');
    };
    const refund = async (who: string, order: string) => {
      const { status } = await shop.post('/v1/track/adjustments', {
        sourceNamespaceId,
        sourceEventId: `refund of ${order}`,
        purchase: { sourceEventId: order },
        kind: 'refund',
        amountMinor: '1000',
        ...USD,
        occurredAt: service.clock.now,
      });
      expect(status).toBe(200);
      count(who, -1);
    };
    const erase = async (who: string) => {
      const [{ id }] = (await shop.read('/v1/participants', { externalId: who })).body.data;
      const query = { projectId, force: true };
      const { status } = await service.call('DELETE', `/v1/participants/${id}`, { as: key, query });
      expect(status).toBe(200);
    };
    const reviews = (await shop.read('/v1/risk-reviews')).body.data;
    expect(reviews).toHaveLength(REFEREES);
    const refereeOf = new Map<string, string>(
      reviews.map((one: { id: string; referee: { externalId: string } }) => [
        one.id,
        one.referee.externalId,
      ]),
    );
    const decided = new Map<string, Set<string>>();
    const decide = async (id: string, decision: string) => {
      const { status, body } = await shop.post(`/v1/risk-reviews/${id}/decision`, { decision });
      if (status === 200) decided.set(id, (decided.get(id) ?? new Set()).add(body.data.status));
      else expect([status, body.error.reason]).toEqual([409, 'review_decided']);
    };
    for (let n = 0; n < REFEREES; n += 1) await buy(`c${n}`, `first of c${n}`);

    const calls = [
      ...[...refereeOf.keys()].flatMap((id) =>
        ['approve', 'reject', 'approve', 'reject'].map((decision) => () => decide(id, decision)),
      ),
      ...[...refereeOf.values()].flatMap((who) => [
        () => refund(who, `first of ${who}`),
        () => buy(who, `second of ${who}`),
        () => buy(who, `third of ${who}`),
      ]),
      ...Array.from({ length: FRIENDS }, (_, n) => () => shop.signUp(`d${n}`)),
      () => buy('bob', 'of bob'),
      () => erase('c0'),
      () => erase('c1'),
    ];
    const mixed = calls
      .map((call) => ({ call, at: random(1_000_000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ call }) => call);
    await Promise.all(mixed.map((call) => call()));

    const rejected = new Set<string>();
    for (const [id, statuses] of decided) {
      expect(statuses.size).toBe(1);
      if (statuses.has('rejected')) rejected.add(refereeOf.get(id) ?? '');
    }
    expect(decided.size).toBe(REFEREES);
    const rewards = (await shop.read('/v1/rewards', { limit: '100' })).body.data;
    const due = (measure: string) =>
      rewards.filter(
        (one: { milestone: { measure: string } | null; void: object | null }) =>
          one.milestone?.measure === measure && one.void === null,
      );
    const left = [...counted].reduce((sum, [who, n]) => (rejected.has(who) ? sum : sum + n), 0);
    const referrals = 1 + REFEREES + FRIENDS - rejected.size;
    expect(due('referrals').length).toBe(Math.floor(referrals / 2));
    expect(due('purchases').length).toBe(Math.floor(left / 3));
    expect((await verifyProject(service.database, projectId)).kept).toEqual([]);
  },
);
