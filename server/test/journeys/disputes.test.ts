import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AdjustShop, openAdjustShop } from '../adjust-shop.ts';
import { openService, type TestService } from '../harness.ts';

let service: TestService;
let shop: AdjustShop;
let eventId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openAdjustShop(service);
  eventId = (await shop.purchase('bob', 'order')).body.eventId;
});
afterEach(() => shop.verify());

const send = (kind: string, id: string, amountMinor: string, more: object = {}) =>
  shop.adjust({ kind, id, order: 'order', amountMinor, ...more });
const lose = (closes: string, more: object = {}) =>
  shop.adjust({ kind: 'dispute_lost', id: `${closes}-lost`, order: 'order', closes, ...more });
const signed = (answer: { body: { rewardAdjustments: { signedAmountMinor: string }[] } }) =>
  answer.body.rewardAdjustments.map((one) => one.signedAmountMinor);

test('a refund while a dispute is open settles it first, and winning gives back the rest only (D-ADJ-1)', async () => {
  await send('dispute', 'dispute', '1000');
  const refund = await send('refund', 'refund', '600');
  expect([refund.status, signed(refund), await shop.net(eventId)]).toEqual([200, [], '0']);
  const won = await send('restoration', 'won', '1000', { restores: 'dispute' });
  expect([won.status, signed(won), await shop.net(eventId)]).toEqual([200, ['40'], '40']);
  const over = await send('refund', 'refund-2', '401');
  expect(over.body.error.reason).toBe('adjustment_exceeds_purchase');
});

test('when that refund fails, its part is disputed again and not paid out', async () => {
  await send('dispute', 'dispute', '1000');
  await send('refund', 'refund', '600');
  const failed = await send('restoration', 'failed', '600', { restores: 'refund' });
  expect([signed(failed), await shop.net(eventId)]).toEqual([[], '0']);
  await send('restoration', 'won', '1000', { restores: 'dispute' });
  expect(await shop.net(eventId)).toBe('100');
});

test('a lost dispute is final: repeated it answers the same, and nothing is won or refunded any more', async () => {
  await send('dispute', 'dispute', '1000');
  const lost = await lose('dispute');
  expect([lost.status, lost.body.rewardAdjustments]).toEqual([200, []]);
  expect((await lose('dispute')).body).toEqual(lost.body);
  const refusal = async (answer: Promise<{ status: number; body: { error: object } }>) => {
    const { status, body } = await answer;
    return { status, ...body.error };
  };
  const closed = { status: 409, reason: 'dispute_closed' };
  const won = send('restoration', 'won', '1', { restores: 'dispute' });
  expect(await refusal(won)).toMatchObject(closed);
  expect(await refusal(lose('dispute', { id: 'again' }))).toMatchObject(closed);
  const refund = await send('refund', 'refund', '1');
  expect(refund.body.error.reason).toBe('adjustment_exceeds_purchase');
  const differs = lose('dispute', { occurredAt: '2026-11-01T00:00:00Z' });
  expect(await refusal(differs)).toMatchObject({ status: 409, reason: 'event_facts_differ' });
});

test('a dispute that was won cannot be lost', async () => {
  await send('dispute', 'dispute', '400');
  await send('restoration', 'won', '400', { restores: 'dispute' });
  const { status, body } = await lose('dispute');
  expect([status, body.error.reason]).toEqual([409, 'dispute_closed']);
});

test('a purchase that is disputed again after a dispute was won is held, and lost, for all of it', async () => {
  await send('dispute', 'dispute', '1000');
  await send('restoration', 'won', '1000', { restores: 'dispute' });
  expect(await shop.net(eventId)).toBe('100');
  expect(signed(await send('dispute', 'again', '1000'))).toEqual(['-100']);
  expect((await lose('again')).status).toBe(200);
  expect(await shop.net(eventId)).toBe('0');
});

describe('units', () => {
  const CUSTOM = {
    benefitKind: 'custom',
    quantity: 5,
    unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
    durationMode: 'forever',
  };
  const unitOf = async (event: string) =>
    (await shop.read('/v1/rewards', { eventId: event, benefitKind: 'custom' })).body.data[0];

  test('that a dispute held are voided when it is lost, and free again when only a part was', async () => {
    await shop.addRule(CUSTOM);
    const all = (await shop.purchase('bob', 'all')).body.eventId;
    const part = (await shop.purchase('bob', 'part')).body.eventId;
    for (const [order, amountMinor] of [
      ['all', '1000'],
      ['part', '300'],
    ] as const) {
      await shop.adjust({ kind: 'dispute', id: `of-${order}`, order, amountMinor });
      const held = await unitOf(order === 'all' ? all : part);
      expect(held.delivery).toMatchObject({ status: 'on_hold', reason: 'dispute_open' });
      await shop.adjust({
        kind: 'dispute_lost',
        id: `lost-${order}`,
        order,
        closes: `of-${order}`,
      });
    }
    expect(await unitOf(all)).toMatchObject({ void: { reasonCode: 'refund' } });
    expect((await unitOf(part)).delivery.reason).not.toBe('dispute_open');
  });
});

test.each([
  ['an amount', { amountMinor: '5' }, 400, null],
  ['nothing that it closes', { closes: undefined }, 400, null],
  ['something that it restores', { restores: 'dispute' }, 400, null],
  ['another currency', { currency: 'EUR' }, 400, null],
  ['a refund', { closes: 'refund' }, 404, 'adjustment_unknown'],
  ['nothing that there is', { closes: 'nobody-knows' }, 404, 'adjustment_unknown'],
  ['a dispute of another purchase', { closes: 'elsewhere' }, 404, 'adjustment_unknown'],
])('a loss with %s is refused', async (_, more, status, reason) => {
  await shop.purchase('bob', 'other');
  await shop.adjust({ kind: 'dispute', id: 'elsewhere', order: 'other', amountMinor: '10' });
  await send('refund', 'refund', '10');
  await send('dispute', 'dispute', '10');
  const answer = await lose('dispute', more);
  expect([answer.status, answer.body.error.reason]).toEqual([status, reason]);
});

test('other kinds close nothing, and need an amount', async () => {
  await send('dispute', 'dispute', '10');
  const closing = await send('refund', 'refund', '10', { closes: 'dispute' });
  expect(closing.status).toBe(400);
  const nothing = await shop.adjust({ kind: 'refund', id: 'refund', order: 'order' });
  expect(nothing.status).toBe(400);
  const plain = await lose('dispute', { currency: undefined, currencyExponent: undefined });
  expect(plain.status).toBe(200);
});
