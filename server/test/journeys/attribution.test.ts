import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMs, DAY_MS } from '../../src/kit/instant.ts';
import { verifyProject } from '../../src/verify/verify-project.ts';
import { startService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const track = async (body: object) =>
  (await shop.post('/v1/track/events', { sourceNamespaceId: shop.sourceNamespaceId, ...body }))
    .body;
const signUp = (participant: object, rest: object = {}) =>
  track({ type: 'signup', participant, ...rest });
/** By the Project's clock, which decides what comes due. */
const letTimePass = async (ms: number) => {
  const { projectId, key } = shop.project;
  const now = addMs(service.clock.now, ms);
  await service.call('PUT', `/v1/projects/${projectId}/clock`, { as: key, body: { now } });
};
const expectVerified = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);

describe('a code that was sent with a signup (D-TRACK-1)', () => {
  const ada = { refCode: 'ada' };

  test('is accepted if it was applied, and a repeat says what was said first', async () => {
    const first = await signUp(person('carl'), ada);
    expect(first.refCode).toEqual({ accepted: true, reason: null });
    expect(await signUp(person('carl'), { refCode: 'nobody' })).toEqual(first);
  });

  test('of one’s own is not accepted', async () => {
    const { refCode } = await signUp(person('ada'), ada);
    expect(refCode).toEqual({ accepted: false, reason: 'self_referral' });
  });

  test('of an old customer is not accepted', async () => {
    await track({ type: 'purchase', participant: person('dora'), sourceEventId: 'order-1' });
    const { data } = (await shop.read('/v1/events')).body;
    expect(data[0].processingState).toBe('pending');
    await letTimePass(DAY_MS);
    const { refCode } = await signUp(person('dora'), ada);
    expect(refCode).toEqual({ accepted: false, reason: 'existing_customer' });
  });

  test('of a Program that is not active is not accepted', async () => {
    await shop.post(`/v1/programs/${shop.programId}/status`, { status: 'paused' });
    const { refCode } = await signUp(person('erik'), ada);
    expect(refCode).toEqual({ accepted: false, reason: 'program_not_active' });
    await expectVerified();
  });
});
