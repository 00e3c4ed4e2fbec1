import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { openService, type TestService } from '../harness.ts';
import { openForeignShop, openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const LIST = '/v1/widget/rewards';
const INIT = '/v1/widget/init';
const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '250',
  currency: 'USD',
  currencyExponent: 2,
};

let service: TestService;
let shop: Shop;
let sign: ReturnType<typeof makeSigner>;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  shop = await openShop(service);
  const { secret } = await newWidgetSecret(service, shop.project);
  sign = makeSigner(service, shop.project, secret);
});
afterAll(() => service.close());

const headers = async (claims: object = {}) => ({
  authorization: `Bearer ${await sign({ claims: { ...claims } })}`,
});
const list = async (query: Record<string, string> = {}, claims: object = {}) =>
  service.call('GET', LIST, {
    as: 'nobody',
    headers: await headers(claims),
    query: { projectId: shop.project.projectId, programId: shop.programId, ...query },
  });
const init = async (body: object = {}, claims: object = {}) =>
  service.call('POST', INIT, {
    as: 'nobody',
    headers: await headers(claims),
    body: { projectId: shop.project.projectId, ...body },
  });
const addProgram = async (kind: string, isActive = true): Promise<string> => {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const { body } = await shop.post('/v1/programs', { kind, name: 'Another', config });
  if (isActive) await shop.post(`/v1/programs/${body.data.id}/status`, { status: 'active' });
  return body.data.id;
};
const people = async (externalId: string) =>
  (await shop.read('/v1/participants', { externalId })).body.data;

describe('the list of rewards', () => {
  test('tells what the participant of the token earned, with a summary on the first page', async () => {
    await shop.addRule(CASH);
    await shop.addRule({ benefitKind: 'discount', calculation: 'percentage', rateBps: 1_500 });
    await shop.addRule({
      benefitKind: 'custom',
      calculation: 'fixed',
      quantity: 3,
      validityDays: 30,
      unit: { key: 'seat', name: 'seat', namePlural: 'seats' },
    });
    await shop.setDelivery({ cashMethod: 'payout', holdDays: 14 });
    await shop.signUp('eve');
    const ids = await shop.buy('order-1');
    const earnedAt = service.clock.now;
    const availableAt = new Date(Date.parse(earnedAt) + 14 * DAY_MS).toISOString();
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const common = {
      date: earnedAt,
      role: 'referrer',
      referralId: expect.stringMatching(/^ref_/),
      money: null,
      discount: null,
      custom: null,
      status: 'on_hold',
      action: null,
      availableAt,
      holdReason: 'waiting_period',
    };
    expect(answer.body).toEqual({
      summary: {
        referralCount: 2,
        rewardCount: 3,
        earned: [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '250' }],
        latestRewardAt: earnedAt,
      },
      items: [
        {
          ...common,
          id: ids.custom,
          benefitKind: 'custom',
          custom: { quantity: 3, validityDays: 30, unitName: 'seat', unitNamePlural: 'seats' },
        },
        { ...common, id: ids.discount, benefitKind: 'discount', discount: { rateBps: 1_500 } },
        {
          ...common,
          id: ids.cash,
          benefitKind: 'cash',
          money: {
            amountMinor: '250',
            netAmountMinor: '250',
            currency: 'USD',
            currencyExponent: 2,
          },
          action: 'add_payout_method',
        },
      ],
      nextCursor: null,
    });
    service.clock.advance(14 * DAY_MS);
    await service.call('PUT', '/v1/widget/payout-details', {
      as: 'nobody',
      headers: await headers(),
      body: {
        projectId: shop.project.projectId,
        details: { type: 'paypal', email: 'ada@example.com' },
      },
    });
    const later = await list();
    expect(later.body.items).toMatchObject([
      { status: 'pending', action: null, holdReason: null },
      { status: 'pending', action: null },
      { status: 'pending', action: null },
    ]);
  });

  test('goes on from page to page, newest first, whatever is earned meanwhile', async () => {
    await shop.addRule(CASH);
    const earned: string[] = [];
    for (let n = 0; n < 5; n += 1) earned.unshift((await shop.buy(`order-${n}`)).cash as string);
    const first = (await list({ limit: '2' })).body;
    await shop.buy('meanwhile');
    const second = (await list({ limit: '2', cursor: first.nextCursor })).body;
    const third = (await list({ limit: '2', cursor: second.nextCursor })).body;
    const pages = [first, second, third];
    expect(pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id))).toEqual(earned);
    expect(pages.map(({ summary }) => summary?.rewardCount ?? null)).toEqual([5, null, null]);
    expect(third.nextCursor).toBeNull();
    const whole = (await list({ limit: '5', cursor: first.nextCursor })).body;
    expect(whole.nextCursor).toBeNull();
  });

  test('counts what was voided as a reward, but not as earned', async () => {
    await shop.addRule(CASH);
    const { cash } = await shop.buy('order-1');
    await shop.buy('order-2');
    await shop.post(`/v1/rewards/${cash}/void`, { reasonCode: 'error' });
    const { summary, items } = (await list()).body;
    expect(summary).toMatchObject({
      rewardCount: 2,
      earned: [{ currency: 'USD', netAmountMinor: '250' }],
    });
    expect(items).toMatchObject([{ status: 'pending' }, { status: 'cancelled' }]);
  });

  test('is empty for somebody whom the Project does not have, and makes nobody', async () => {
    const answer = await list({}, { sub: 'nobody-yet' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        summary: { referralCount: 0, rewardCount: 0, earned: [], latestRewardAt: null },
        items: [],
        nextCursor: null,
      },
    ]);
    expect(await people('nobody-yet')).toEqual([]);
    // The kind is part of who somebody is.
    await shop.addRule(CASH);
    await shop.buy('order-1');
    expect((await list({}, { participantKind: 'group' })).body.items).toEqual([]);
  });

  test('has only what was earned in the Program that is asked for', async () => {
    await shop.addRule(CASH);
    await shop.buy('order-1');
    const other = await addProgram('referral');
    expect((await list({ programId: other })).body).toMatchObject({
      summary: { referralCount: 0, rewardCount: 0, earned: [] },
      items: [],
    });
  });

  test.each(['affiliate', 'loyalty'])('is not there for a Program of kind %s', async (kind) => {
    const programId = await addProgram(kind);
    expect(await list({ programId })).toMatchObject({ status: 404 });
  });

  test('is not there for a Program of another Project, or none', async () => {
    const foreign = await openForeignShop(service);
    expect(await list({ programId: foreign.programId })).toMatchObject({ status: 404 });
    expect(await list({ programId: 'prg_1' })).toMatchObject({ status: 404 });
  });

  test('takes only cursors of its own', async () => {
    await shop.addRule(CASH);
    for (const order of ['1', '2']) await shop.buy(order);
    const { nextCursor } = (await list({ limit: '1' })).body;
    const other = await addProgram('referral');
    const last = nextCursor.endsWith('A') ? 'B' : 'A';
    const refused = await Promise.all([
      list({ cursor: nextCursor }, { sub: 'bob' }),
      list({ cursor: nextCursor }, { sub: 'nobody-yet' }),
      list({ cursor: nextCursor, programId: other }),
      list({ cursor: `${nextCursor.slice(0, -1)}${last}` }),
      list({ cursor: `${nextCursor}=` }),
      list({ cursor: 'x' }),
      list({ cursor: 'x'.repeat(2_048) }),
    ]);
    for (const answer of refused) {
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { error: { code: 'INVALID_REQUEST' } },
      ]);
    }
    for (const query of [{ limit: '0' }, { limit: '51' }, { cursor: '' }, { programId: ' ' }]) {
      expect(await list(query as Record<string, string>)).toMatchObject({ status: 400 });
    }
  });

  test('needs the scope to read', async () => {
    expect(await list({}, { scope: 'widget:payout' })).toMatchObject({ status: 403 });
    expect(await init({}, { scope: 'widget:payout' })).toMatchObject({ status: 403 });
  });
});

describe('the start of the panel', () => {
  test('makes the participant, enrolls them and gives them a link, once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => init({ programId: shop.programId }, { sub: 'grace' })),
    );
    const [first] = answers;
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: first?.body });
    const [grace] = await people('grace');
    const { config } = (await shop.read(`/v1/programs/${shop.programId}`)).body.data;
    const { code, link } = first?.body.referral ?? {};
    expect(first?.headers.get('cache-control')).toBe('private, no-store');
    expect(first?.body).toEqual({
      program: { id: shop.programId, name: 'Invite', kind: 'referral', status: 'active' },
      config: { ...config, widgetConfig: { ...config.widgetConfig, referralLink: link } },
      participant: { participantId: grace.id, kind: 'individual', externalId: 'grace' },
      referral: { code: expect.stringMatching(/^[2-9a-z]{8}$/), link: expect.any(String) },
      payout: {
        required: false,
        configured: false,
        editable: true,
        types: ['paypal', 'wise', 'bank'],
      },
      progress: [],
    });
    expect(link).toMatch(new RegExp(`/l/[a-z0-9]+/${code}$`));
    const { body } = await shop.read(`/v1/participants/${grace.id}`);
    expect(body.data).toMatchObject({ enrollments: [{ endsAt: null }], refCodes: [{ code }] });
    // Whoever was there already keeps what they share.
    expect((await init({}, { sub: 'grace' })).body).toEqual(first?.body);
  });

  test('takes the oldest active referral Program if none is named', async () => {
    const affiliate = await addProgram('affiliate');
    const newer = await addProgram('referral');
    expect((await init()).body.program.id).toBe(shop.programId);
    await shop.post(`/v1/programs/${shop.programId}/status`, { status: 'paused' });
    expect((await init()).body.program.id).toBe(newer);
    await shop.post(`/v1/programs/${newer}/status`, { status: 'ended' });
    expect(await init()).toMatchObject({ status: 404 });
    expect(await init({ programId: affiliate })).toMatchObject({ status: 404 });
  });

  test('says whether they are paid out here, and have told where to', async () => {
    const paid = async () => (await init()).body.payout;
    await shop.setDelivery({ cashMethod: 'payout' });
    expect(await paid()).toMatchObject({ required: false, configured: false });
    await shop.addRule(CASH);
    expect(await paid()).toMatchObject({ required: true, configured: false });
    await service.call('PUT', '/v1/widget/payout-details', {
      as: 'nobody',
      headers: await headers(),
      body: {
        projectId: shop.project.projectId,
        details: { type: 'paypal', email: 'ada@example.com' },
      },
    });
    expect(await paid()).toMatchObject({ required: true, configured: true });
    await shop.setDelivery({ cashMethod: 'operator' });
    expect(await paid()).toMatchObject({ required: false, configured: true });
  });

  test('goes on in a paused Program for those who are in it, and takes nobody new', async () => {
    const { programId } = shop;
    await init({ programId });
    await shop.post(`/v1/programs/${programId}/status`, { status: 'paused' });
    const paused = { status: 200, body: { program: { status: 'paused' } } };
    expect(await init({ programId })).toMatchObject(paused);
    expect(await init({ programId }, { sub: 'late' })).toMatchObject({
      status: 409,
      body: { error: { reason: 'program_not_open' } },
    });
    expect(await people('late')).toEqual([]);
  });

  test('tells how the Program stands, which is shared no more once it has ended', async () => {
    const { programId } = shop;
    const statusNow = async () => (await init({ programId })).body.program.status;
    expect(await statusNow()).toBe('active');
    for (const status of ['ended', 'archived']) {
      await shop.post(`/v1/programs/${programId}/status`, { status });
      expect(await statusNow()).toBe(status);
    }
  });

  test('tells whether the token may change where to be paid', async () => {
    const editable = async (scope: string) => (await init({}, { scope })).body.payout.editable;
    expect(await editable('widget:read widget:payout')).toBe(true);
    expect(await editable('widget:read')).toBe(false);
  });

  test('is refused for those who left, and for the erased', async () => {
    const { programId } = shop;
    await init({ programId });
    const [ada] = await people('ada');
    const { body } = await shop.read(`/v1/participants/${ada.id}`);
    await shop.post(`/v1/enrollments/${body.data.enrollments[0].id}/end`);
    expect(await init({ programId })).toMatchObject({
      status: 409,
      body: { error: { reason: 'enrollment_ended' } },
    });
    await init({ programId }, { sub: 'grace' });
    const [grace] = await people('grace');
    await service.call('DELETE', `/v1/participants/${grace.id}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId },
    });
    expect(await init({ programId }, { sub: 'grace' })).toMatchObject({
      status: 409,
      body: { error: { reason: 'participant_deleted' } },
    });
    expect((await list({}, { sub: 'grace' })).body.items).toEqual([]);
  });
});
