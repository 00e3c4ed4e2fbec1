import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayHistory } from '../../src/domain/backtests/replay-history.ts';
import { loadBook } from '../../src/domain/programs/load-book.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let shop: TestProject;
beforeAll(async () => {
  service = await openService();
  shop = await service.newProject();
});
afterAll(() => service.close());

const ALWAYS = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
const CREDIT = { benefitKind: 'credit', calculation: 'milestone', fixedAmountMinor: '700' };
const person = (externalId: string) => ({ kind: 'individual', externalId });

async function ok(path: string, body: object, method: 'POST' | 'PUT' = 'POST') {
  service.clock.advance(1);
  const sent = { as: shop.key, body: { projectId: shop.projectId, ...body } };
  const answer = await service.call(method, path, sent);
  expect(answer.body).toMatchObject({ success: true });
  return answer.body;
}

const read = (path: string) =>
  service.call('GET', path, { as: shop.key, query: { projectId: shop.projectId } });

test('what a rejected referral counted is left out of a replay too, once it was rejected (D-BT-2)', async () => {
  const { sourceNamespaceId } = await ok('/v1/sources', {});
  const config = { brandConfig: { landingPageUrl: 'https://example.com/' } };
  const program = { kind: 'referral', name: 'Friends', config };
  const programId = (await ok('/v1/programs', program)).data.id;
  const rule = { programId, beneficiaryRole: 'referrer', purpose: 'bonus' };
  for (const [eventType, measure, at] of [
    ['signup', 'referrals', '2'],
    ['purchase', 'revenue', '5000'],
  ] as const) {
    const milestone = { measure, at, repeat: true };
    const terms = { ...CREDIT, currency: 'USD', currencyExponent: 2, milestone };
    await ok('/v1/benefit-rules', { ...rule, name: measure, eventType, terms });
  }
  await ok(`/v1/programs/${programId}/status`, { status: 'active' });
  await ok(`/v1/programs/${programId}/risk-policies`, { mode: 'review', reviewAt: 60 });
  const known = (name: string, email: string) =>
    ok('/v1/participants', { participant: person(name), email }, 'PUT');
  const join = (name: string) =>
    ok('/v1/track/events', {
      sourceNamespaceId,
      type: 'signup',
      participant: person(name),
      refCode: 'code-ada',
    });
  const buy = (name: string, sourceEventId: string, amountMinor: string) =>
    ok('/v1/track/events', {
      sourceNamespaceId,
      sourceEventId,
      type: 'purchase',
      participant: person(name),
      purchase: { amountMinor, currency: 'USD' },
    });
  await ok('/v1/referral-codes', { programId, participant: person('ada'), code: 'code-ada' });
  await known('ada', 'ada@example.com');
  await known('fake', 'a.da+2@example.com');
  await join('bob');
  await join('fake');
  await buy('fake', 'o1', '4000');
  await buy('bob', 'o2', '2000');
  const [review] = (await read('/v1/risk-reviews')).body.data;
  await ok(`/v1/risk-reviews/${review.id}/decision`, { decision: 'reject' });
  await buy('bob', 'o3', '2500');

  const lost = { void: { reasonCode: 'milestone_lost' } };
  expect((await read('/v1/rewards')).body.data).toMatchObject([lost, lost]);

  const book = await loadBook(service.database.reads, shop.projectId);
  const books = { actual: book, proposed: book };
  const { events, refused } = await replayHistory(service.database.reads, {
    projectId: shop.projectId,
    programId,
    ...books,
    ...ALWAYS,
  });
  const seen = { compared: events.compared, unlike: events.unlike, refused };
  expect(seen).toEqual({ compared: 5, unlike: [], refused: 0 });
});
