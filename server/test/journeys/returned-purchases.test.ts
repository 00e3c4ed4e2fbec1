import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Ada has a link; bob, who came by it, buys. */
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await post('/v1/sources', {})).body.sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
  programId = program.body.data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const post = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const read = async (path: string, query: Record<string, string> = {}) => {
  const asked = { projectId: project.projectId, ...query };
  return (await service.call('GET', path, { as: project.key, query: asked })).body;
};
const addRule = (terms: object, more: object = {}) =>
  post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Thanks',
    terms: { durationMode: 'forever', ...terms },
    ...more,
  });
const ok = async (answer: ReturnType<typeof post>) => {
  const { status, body } = await answer;
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};
const track = (body: object) => ok(post('/v1/track/events', { sourceNamespaceId, ...body }));
const signUp = (externalId = 'bob', more: object = {}) =>
  track({ type: 'signup', participant: person(externalId), refCode: 'ada', ...more });
const buy = async (order: string, externalId = 'bob'): Promise<string> => {
  const purchase = { amountMinor: '1000', currency: 'USD' };
  const event = { type: 'purchase', participant: person(externalId), sourceEventId: order };
  return (await track({ ...event, purchase })).eventId;
};
const adjust = (kind: string, order: string, amountMinor = '1000', more: object = {}) =>
  ok(
    post('/v1/track/adjustments', {
      sourceNamespaceId,
      sourceEventId: `${kind} of ${order}`,
      purchase: { sourceEventId: order },
      kind,
      amountMinor,
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: service.clock.now,
      ...more,
    }),
  );
const restore = (kind: string, order: string, amountMinor = '1000') =>
  adjust('restoration', order, amountMinor, { restores: `${kind} of ${order}` });
const rewardsOf = async (eventId: string) =>
  (await read('/v1/rewards', { eventId })).data.toReversed();
const feedOf = async (...types: string[]) => {
  const { events } = await read('/v1/webhook-events', { limit: '500' });
  return events.filter(({ type }: { type: string }) => types.includes(type));
};
const reasonsOf = async (eventId: string) =>
  (await read(`/v1/events/${eventId}/explanation`)).data.rules.map(
    ({ reason }: { reason: string | null }) => reason,
  );
const expectSound = async () => {
  const { kept } = await verifyProject(service.database, project.projectId);
  expect(kept).toEqual([]);
};

const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };
const CREDIT = { ...CASH, benefitKind: 'credit' };
const DISCOUNT = { benefitKind: 'discount', rateBps: 2_000 };
const CUSTOM = {
  benefitKind: 'custom',
  quantity: 5,
  unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
};
const EVERY_KIND = [CASH, CREDIT, DISCOUNT, CUSTOM];

describe('a purchase that waits for its signup', () => {
  test('and is refunded in full before it comes earns nothing (D-RWD-11)', async () => {
    for (const terms of EVERY_KIND) await addRule(terms);
    const eventId = await buy('1');
    await adjust('refund', '1');
    await signUp();
    expect(await rewardsOf(eventId)).toEqual([]);
    expect(await reasonsOf(eventId)).toEqual(EVERY_KIND.map(() => 'zero_amount'));
    expect(await feedOf('reward.earned', 'reward.voided')).toEqual([]);
    await expectSound();
  });

  test('and of which anything is refunded earns nothing where the terms take all for that', async () => {
    for (const terms of EVERY_KIND) await addRule({ ...terms, refundPolicy: 'full' });
    const eventId = await buy('1');
    await adjust('refund', '1', '1');
    await signUp();
    expect(await rewardsOf(eventId)).toEqual([]);
    await expectSound();
  });

  test('and is refunded in part earns what is left, units and discounts whole', async () => {
    for (const terms of EVERY_KIND) await addRule(terms);
    const eventId = await buy('1');
    await adjust('refund', '1', '999');
    await adjust('refund', '1', '1', { sourceEventId: 'the rest' });
    await restore('refund', '1', '600');
    await signUp();
    const rewards = await rewardsOf(eventId);
    expect(rewards).toMatchObject([
      { money: { amountMinor: '100', netAmountMinor: '60' }, fulfillmentStatus: 'pending' },
      { money: { amountMinor: '100', netAmountMinor: '60' }, fulfillmentStatus: 'pending' },
      { discount: { rateBps: 2_000 }, fulfillmentStatus: 'pending', void: null },
      { custom: { quantity: 5 }, fulfillmentStatus: 'pending', void: null },
    ]);
    expect(await feedOf('reward.voided')).toEqual([]);
    expect(await feedOf('reward.earned')).toHaveLength(4);
    await expectSound();
  });

  test('and is disputed as a whole earns, held until the dispute is over', async () => {
    for (const terms of EVERY_KIND) await addRule(terms);
    const eventId = await buy('1');
    await adjust('dispute', '1');
    await signUp();
    const held = { status: 'on_hold', reason: 'dispute_open' };
    const earned = await feedOf('reward.earned');
    expect(earned).toHaveLength(4);
    for (const { data } of earned) {
      expect(data.reward).toMatchObject({ fulfillmentStatus: 'pending', delivery: held });
    }
    await restore('dispute', '1');
    for (const reward of await rewardsOf(eventId)) {
      expect(reward.delivery).toMatchObject({ status: 'pending', reason: 'awaiting_operator' });
    }
    await expectSound();
  });

  test('and whose refund fails after it was decided earns then', async () => {
    for (const terms of EVERY_KIND) await addRule(terms);
    const eventId = await buy('1');
    await adjust('refund', '1');
    await signUp();
    const { rewardAdjustments } = await restore('refund', '1', '700');
    expect(await rewardsOf(eventId)).toMatchObject([
      { money: { amountMinor: '100', netAmountMinor: '70' } },
      { money: { amountMinor: '100', netAmountMinor: '70' } },
      { discount: { rateBps: 2_000 } },
      { custom: { quantity: 5 } },
    ]);
    expect(rewardAdjustments).toMatchObject([
      { signedAmountMinor: '-30' },
      { signedAmountMinor: '-30' },
    ]);
    expect(await reasonsOf(eventId)).toEqual(EVERY_KIND.map(() => null));
    expect(await feedOf('reward.earned')).toHaveLength(4);
    await adjust('restoration', '1', '300', {
      sourceEventId: 'the rest',
      restores: 'refund of 1',
    });
    expect((await rewardsOf(eventId))[0].money.netAmountMinor).toBe('100');
    expect(await feedOf('reward.earned')).toHaveLength(4);
    await expectSound();
  });
});

describe("a group's purchase that is credited to somebody else's referral (D-AM-2)", () => {
  const group = (externalId: string) => ({ kind: 'group', externalId });
  const buyAs = async (order: string, more: object): Promise<string> => {
    const purchase = { amountMinor: '1000', currency: 'USD' };
    return (await track({ type: 'purchase', sourceEventId: order, purchase, ...more })).eventId;
  };
  const signUpGroup = (externalId: string, actor: string) =>
    track({ type: 'signup', participant: group(externalId), actor: person(actor) });

  test.each(['actor', 'creator'])('its %s: a restoration lets it earn', async (role) => {
    await addRule({ ...CASH, durationMode: 'once' });
    await addRule(CREDIT, { beneficiaryRole: 'referee' });
    // Before bob himself, or the group would have a referral of its own.
    await signUpGroup('team', role === 'creator' ? 'bob' : 'eve');
    await signUp('bob');
    await adjust('refund', '1');
    const actor = person(role === 'actor' ? 'bob' : 'eve');
    const eventId = await buyAs('1', { participant: group('team'), actor });
    expect(await reasonsOf(eventId)).toEqual(['zero_amount', 'zero_amount']);
    await restore('refund', '1', '700');
    expect(await rewardsOf(eventId)).toMatchObject([
      { beneficiaryRole: 'referrer', money: { netAmountMinor: '70' } },
      { beneficiaryRole: 'referee', money: { netAmountMinor: '70' } },
    ]);
    expect(await reasonsOf(eventId)).toEqual([null, null]);
    expect(await feedOf('reward.earned')).toHaveLength(2);
    await expectSound();
  });
});

describe('what the product granted', () => {
  const grant = (id: string) =>
    ok(post(`/v1/rewards/${id}/fulfillment`, { externalReference: `grant of ${id}` }));
  /** Granted credit, discount and units. */
  const grantAll = async () => {
    for (const terms of [CREDIT, DISCOUNT, CUSTOM]) await addRule(terms);
    await signUp();
    const eventId = await buy('1');
    for (const { id } of await rewardsOf(eventId)) await grant(id);
    return eventId;
  };

  test('is asked back after a full refund, and a restoration lifts that (D-RWD-11)', async () => {
    const eventId = await grantAll();
    await adjust('refund', '1');
    const lost = {
      fulfillmentStatus: 'revocation_pending',
      void: { id: expect.any(String), reasonCode: 'refund', reason: null },
    };
    expect(await rewardsOf(eventId)).toMatchObject([lost, lost, lost]);
    const voided = await feedOf('reward.voided');
    expect(voided).toHaveLength(3);
    for (const { data } of voided) {
      expect(data.reward).toMatchObject(lost);
      expect(Object.keys(data.reward.void)).toEqual(['id', 'reasonCode', 'reason', 'voidedAt']);
    }
    await expectSound();
    await restore('refund', '1');
    const kept = { fulfillmentStatus: 'fulfilled', void: null, delivery: { status: 'delivered' } };
    const all = await rewardsOf(eventId);
    expect(all).toMatchObject([kept, kept, kept]);
    const restored = await feedOf('reward.restored');
    expect(restored).toMatchObject(
      all.map(({ id }: { id: string }) => ({ data: { reward: { id, ...kept } } })),
    );
    expect(await feedOf('reward.earned')).toHaveLength(3);
    await expectSound();
  });

  test('and what it did not grant yet is due again after a restoration, which says so (D-RWD-11)', async () => {
    for (const terms of [CREDIT, DISCOUNT, CUSTOM]) await addRule(terms);
    await signUp();
    const eventId = await buy('1');
    for (const round of ['first', 'second']) {
      await adjust('refund', '1', '1000', { sourceEventId: `${round} refund` });
      await adjust('restoration', '1', '1000', {
        sourceEventId: `${round} restoration`,
        restores: `${round} refund`,
      });
    }
    const [, discount, custom] = await rewardsOf(eventId);
    // Pending money is cancelled without a void, and nobody heard of that.
    const earned = await feedOf('reward.earned');
    expect(
      earned.slice(3).map(({ data }: { data: { reward: object } }) => data.reward),
    ).toMatchObject(
      [discount, custom, discount, custom].map(({ id }) => ({
        id,
        fulfillmentStatus: 'pending',
        void: null,
      })),
    );
    expect(await feedOf('reward.restored')).toEqual([]);
    await expectSound();
  });

  test('stays taken back once it is, and stays void where an operator said so', async () => {
    const eventId = await grantAll();
    const [credit, discount, custom] = await rewardsOf(eventId);
    await ok(post(`/v1/rewards/${discount.id}/void`, { reasonCode: 'refund' }));
    await adjust('refund', '1');
    await ok(post(`/v1/rewards/${custom.id}/revocation`, { externalReference: 'taken' }));
    await restore('refund', '1');
    expect(await rewardsOf(eventId)).toMatchObject([
      { id: credit.id, fulfillmentStatus: 'fulfilled', void: null },
      { id: discount.id, fulfillmentStatus: 'revocation_pending' },
      { id: custom.id, fulfillmentStatus: 'revoked', void: { reasonCode: 'refund' } },
    ]);
    const late = await post(`/v1/rewards/${credit.id}/revocation`, { externalReference: 'late' });
    expect([late.status, late.body.error.reason]).toEqual([409, 'revocation_not_pending']);
    await expectSound();
  });

  test('and is asked back after a refund can be voided for good, and an audit entry says so', async () => {
    const eventId = await grantAll();
    const [credit, discount, custom] = await rewardsOf(eventId);
    await adjust('refund', '1');
    const fraud = { reasonCode: 'fraud', reason: 'Returned on purpose.' };
    const again = { reasonCode: 'refund', reason: 'Agreed on the phone.' };
    await ok(post(`/v1/rewards/${credit.id}/void`, fraud));
    await ok(post(`/v1/rewards/${custom.id}/void`, again));
    await restore('refund', '1');
    expect(await rewardsOf(eventId)).toMatchObject([
      { id: credit.id, fulfillmentStatus: 'revocation_pending', void: fraud },
      { id: discount.id, fulfillmentStatus: 'fulfilled', void: null },
      { id: custom.id, fulfillmentStatus: 'revocation_pending', void: again },
    ]);
    const { body } = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId, limit: '100' },
    });
    const voids = body.data.filter(({ action }: { action: string }) => action === 'reward.void');
    expect(voids.map(({ targetId }: { targetId: string }) => targetId).toSorted()).toEqual(
      [credit.id, custom.id].toSorted(),
    );
    await expectSound();
  });

  test('is not asked back while a dispute is open', async () => {
    const eventId = await grantAll();
    await adjust('dispute', '1');
    const kept = { fulfillmentStatus: 'fulfilled', void: null };
    expect(await rewardsOf(eventId)).toMatchObject([kept, kept, kept]);
    await restore('dispute', '1');
    expect(await rewardsOf(eventId)).toMatchObject([kept, kept, kept]);
    expect(await feedOf('reward.voided')).toEqual([]);
    await expectSound();
  });
});

describe('only what stands counts (D-TERM-6)', () => {
  const earns = async (order: string) => (await rewardsOf(await buy(order))).length;
  const MONTH_MS = 31 * 86_400_000;

  test.each(EVERY_KIND)('for a cap and for once: $benefitKind', async (terms) => {
    await addRule({ ...terms, maxRewardsPerBeneficiary: 1 });
    await addRule({ ...terms, durationMode: 'once' });
    await signUp();
    expect(await earns('1')).toBe(2);
    expect(await earns('2')).toBe(0);
    await adjust('refund', '1', '500');
    expect(await earns('3')).toBe(0);
    await adjust('refund', '1', '500', { sourceEventId: 'the rest' });
    expect(await earns('4')).toBe(2);
    expect(await earns('5')).toBe(0);
    // Both stand then, and both places are taken until both are returned.
    await restore('refund', '1', '500');
    await adjust('refund', '4');
    expect(await earns('6')).toBe(0);
    await expectSound();
  });

  test('an open dispute frees no place', async () => {
    for (const terms of EVERY_KIND) await addRule({ ...terms, durationMode: 'once' });
    await signUp();
    expect(await earns('1')).toBe(4);
    await adjust('dispute', '1');
    expect(await earns('2')).toBe(0);
    await restore('dispute', '1');
    expect(await earns('3')).toBe(0);
    await expectSound();
  });

  test('what was voided frees its place', async () => {
    await addRule({ ...CASH, durationMode: 'once' });
    await signUp();
    const [reward] = await rewardsOf(await buy('1'));
    await ok(post(`/v1/rewards/${reward.id}/void`, { reasonCode: 'error' }));
    expect(await earns('2')).toBe(1);
    await expectSound();
  });

  test('an earning period begins with the first that stands', async () => {
    await addRule({ ...CASH, durationMode: 'months', durationMonths: 1 });
    await signUp();
    expect(await earns('1')).toBe(1);
    service.clock.advance(MONTH_MS / 2);
    expect(await earns('2')).toBe(1);
    await adjust('refund', '1');
    service.clock.advance(MONTH_MS * 0.75);
    expect(await earns('3')).toBe(1);
    await restore('refund', '1');
    expect(await earns('4')).toBe(0);
    await expectSound();
  });

  test('facts earlier in the same batch count', async () => {
    await addRule({ ...CASH, durationMode: 'months', durationMonths: 1 });
    await addRule({ ...CREDIT, durationMode: 'once' });
    await signUp();
    await buy('1');
    service.clock.advance(MONTH_MS / 2);
    await buy('2');
    service.clock.advance(MONTH_MS * 0.75);
    const [, bought] = await Promise.all([adjust('refund', '1'), buy('3')]);
    expect(await rewardsOf(bought)).toHaveLength(2);
    await expectSound();
  });

  test('so does one that waited for an Event about its invoice', async () => {
    await addRule({ ...CASH, durationMode: 'months', durationMonths: 1 });
    await signUp();
    const purchase = { amountMinor: '1000', currency: 'USD', invoiceId: 'inv-1' };
    const invoiced = { type: 'purchase', participant: person('bob'), purchase };
    await track({ ...invoiced, sourceEventId: '1' });
    service.clock.advance(MONTH_MS / 2);
    expect(await earns('2')).toBe(1);
    service.clock.advance(MONTH_MS * 1.25);
    await adjust('refund', 'again');
    // While the first is written, the others come together and make one batch.
    const [, , bought] = await Promise.all([
      signUp('carol'),
      track({ ...invoiced, sourceEventId: 'again' }),
      buy('3'),
    ]);
    // The first is gone, and the month that the second began is over.
    expect(await reasonsOf(bought)).toEqual(['duration_over']);
    await expectSound();
  });

  test('a voided signup reward lets the person earn once more (D-ATTR-8)', async () => {
    await addRule(
      {
        benefitKind: 'credit',
        calculation: 'fixed',
        fixedAmountMinor: '500',
        currency: 'USD',
        currencyExponent: 2,
        durationMode: 'once',
      },
      { eventType: 'signup' },
    );
    const join = async (group: string) => {
      const actor = person('bob');
      const body = await signUp(group, {
        participant: { kind: 'group', externalId: group },
        actor,
      });
      return rewardsOf(body.eventId);
    };
    const [first] = await join('team-1');
    expect(await join('team-2')).toEqual([]);
    await ok(post(`/v1/rewards/${first.id}/void`, { reasonCode: 'error' }));
    expect(await join('team-3')).toHaveLength(1);
    expect(await join('team-4')).toEqual([]);
    await expectSound();
  });

  test('a dry run says the same', async () => {
    await addRule({ ...CASH, durationMode: 'once' });
    await signUp();
    await buy('1');
    const dryRun = async () => {
      const purchase = { amountMinor: '1000', currency: 'USD' };
      const event = {
        type: 'purchase',
        participant: person('bob'),
        sourceEventId: 'dry',
        purchase,
      };
      const { data } = await ok(post('/v1/simulations/events', { sourceNamespaceId, ...event }));
      return data.explanation.rules.map(({ reason }: { reason: string | null }) => reason);
    };
    expect(await dryRun()).toEqual(['already_earned']);
    await adjust('refund', '1');
    expect(await dryRun()).toEqual([null]);
  });
});
