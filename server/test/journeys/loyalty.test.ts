import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

const zoe = { kind: 'individual', externalId: 'zoe' };

async function openLoyalty(): Promise<string> {
  const { data } = (await shop.post('/v1/programs', { kind: 'loyalty', name: 'Points' })).body;
  await shop.post(`/v1/programs/${data.id}/status`, { status: 'active' });
  await shop.post('/v1/benefit-rules', {
    programId: data.id,
    eventType: 'purchase',
    beneficiaryRole: 'subject',
    name: 'Points',
    terms: {
      benefitKind: 'custom',
      quantity: 10,
      unit: { key: 'points', name: 'point', namePlural: 'points' },
      durationMode: 'forever',
    },
  });
  return data.id;
}

async function reasonsOfBuying(sourceEventId: string, occurredAt: string): Promise<unknown[]> {
  const bought = await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: zoe,
    sourceEventId,
    occurredAt,
  });
  const { body } = await shop.read(`/v1/events/${bought.body.eventId}/explanation`);
  return body.data.rules.map((rule: { reason: string | null }) => rule.reason);
}

test('late facts count for who was enrolled then, and not for who had opted out then (D-AM-3)', async () => {
  const programId = await openLoyalty();
  const opened = service.clock.now;
  service.clock.advance(DAY_MS);
  expect(await reasonsOfBuying('joins', service.clock.now)).toEqual([null]);
  const joined = service.clock.now;
  service.clock.advance(DAY_MS);
  const { data } = (await shop.post('/v1/enrollments', { programId, participant: zoe })).body;
  await shop.post(`/v1/enrollments/${data.id}/end`);
  const left = service.clock.now;
  service.clock.advance(DAY_MS);
  await shop.post('/v1/enrollments', { programId, participant: zoe });
  const back = service.clock.now;
  service.clock.advance(DAY_MS);

  expect(await reasonsOfBuying('before', opened)).toEqual([null]);
  expect(await reasonsOfBuying('while in', joined)).toEqual([null]);
  expect(await reasonsOfBuying('as they left', left)).toEqual(['enrollment_not_active']);
  expect(await reasonsOfBuying('as they came back', back)).toEqual([null]);
  expect(await reasonsOfBuying('now', service.clock.now)).toEqual([null]);
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);
});
