import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTracking, parties } from '../../../../test/memory-tracking.ts';
import {
  aProgram,
  aRule,
  customTerms,
  discountTerms,
  percentTerms,
} from '../../../../test/program-book.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { TermsVersion } from '../../programs/program-book.ts';
import type { TrackAdjustment } from '../billing-schema.ts';
import { signupIdOf } from '../intake/normalize-event.ts';

const NOW = '2026-11-15T09:30:00.000Z';

function openShop(terms: Partial<TermsVersion> = {}): MemoryTracking {
  const rule = aRule([percentTerms(1_000, { durationMode: 'forever', ...terms })]);
  const shop = new MemoryTracking(
    NOW,
    [aProgram({ rules: [rule] })],
    [{ name: 'ada', programId: 'prg' }],
  );
  shop.signUp('bob', 'ada-prg');
  return shop;
}

let shop: MemoryTracking;
beforeEach(() => {
  shop = openShop();
});

type Sent = Partial<TrackAdjustment>;
const refund = (amountMinor: string): Sent => ({ amountMinor });
const dispute = (amountMinor: string): Sent => ({ kind: 'dispute', amountMinor });
const restoration = (restores: string, amountMinor: string): Sent => ({
  kind: 'restoration',
  restores,
  amountMinor,
});
const loss = (closes: string): Sent => ({ kind: 'dispute_lost', closes });

/** Sends facts about one order of ten dollars; each is named by its position, from 1. */
function send(...facts: readonly Sent[]) {
  for (const [at, fact] of facts.entries()) shop.adjust(`${at + 1}`, 'order', fact);
}
const purchaseOf = (sourceEventId: string) => {
  const { id } = shop.eventOf(sourceEventId);
  const purchase = [...shop.made.purchases.added.values()].find(({ eventId }) => eventId === id);
  return purchase ?? expect.fail('There is no such purchase.');
};
const portrait = () => structuredClone([shop.state, shop.made, shop.announced]);
const refusal = (code: string, reason: string | null, message?: string) =>
  expect.objectContaining(message === undefined ? { code, reason } : { code, reason, message });

test('a refund takes its part of what the purchase earned, and says so (D-ADJ-1, D-RWD-11)', () => {
  shop.buy('order', 'bob');
  const answer = shop.refund('refund', 'order', '333');
  const { id } = purchaseOf('order');
  expect(answer).toMatchObject({
    success: true,
    purchaseId: id,
    rewardAdjustments: [{ signedAmountMinor: '-33' }],
  });
  expect(answer.purchaseAdjustmentId).toMatch(/^padj_/);
  expect(shop.earnedBy('order')).toEqual(['ada 67']);
  expect(purchaseOf('order')).toMatchObject({ refundedMinor: 333n, disputedMinor: 0n });
  expect([...shop.made.adjustments.added.values()]).toMatchObject([
    { id: answer.purchaseAdjustmentId, purchaseId: id, sourceEventId: 'refund', kind: 'refund' },
  ]);
});

describe('an adjustment is refused, and nothing changes by it:', () => {
  const unknownSource = 'No such source in this project.';
  test.each<[string, string, Sent, object]>([
    [
      'its source is unknown',
      'order',
      { ...refund('1'), sourceNamespaceId: 'elsewhere' },
      refusal('NOT_FOUND', 'source_unknown', unknownSource),
    ],
    [
      'the source of its purchase is unknown',
      'order',
      { ...refund('1'), purchase: { sourceNamespaceId: 'elsewhere', sourceEventId: 'order' } },
      refusal('NOT_FOUND', 'source_unknown', 'No such source of the purchase in this project.'),
    ],
    [
      'what it names is no purchase',
      'met bob',
      refund('1'),
      refusal(
        'NOT_FOUND',
        'purchase_without_amount',
        'No such purchase with an amount in this project.',
      ),
    ],
    [
      'what it names can be none',
      signupIdOf(`par_${'0'.repeat(26)}`),
      refund('1'),
      refusal('NOT_FOUND', 'purchase_without_amount'),
    ],
    [
      'what it names does not count',
      'not counted',
      refund('1'),
      refusal('NOT_FOUND', 'purchase_not_counted', 'No such counted purchase in this project.'),
    ],
    [
      'the currency is another',
      'order',
      { ...refund('1'), currency: 'EUR' },
      refusal('INVALID_REQUEST', null),
    ],
    [
      'it is in the future',
      'order',
      { ...refund('1'), occurredAt: addMs(NOW, 5 * MINUTE_MS + 1) },
      refusal('INVALID_REQUEST', null),
    ],
    [
      'it exceeds the purchase',
      'order',
      refund('1001'),
      refusal(
        'CONFLICT',
        'adjustment_exceeds_purchase',
        'Only 1000 of this purchase can still be refunded.',
      ),
    ],
    [
      'it has the id of its purchase, which is not there',
      'refused',
      refund('1'),
      refusal('CONFLICT', 'event_facts_differ'),
    ],
    [
      'what it restores is unknown',
      'order',
      restoration('nothing', '1'),
      refusal(
        'NOT_FOUND',
        'adjustment_unknown',
        'No such refund or dispute of this purchase to restore in this project.',
      ),
    ],
    [
      'the dispute that was lost is unknown',
      'order',
      loss('nothing'),
      refusal('NOT_FOUND', 'adjustment_unknown', 'No such dispute in this project.'),
    ],
    [
      'what it restores is unknown, and so is its purchase',
      'to come',
      restoration('nothing', '1'),
      refusal('NOT_FOUND', 'adjustment_unknown'),
    ],
  ])('%s (D-ADJ-1)', (_, order, sent, expected) => {
    shop.meet('bob');
    shop.buy('order', 'bob');
    shop.state.purchaseOfKey.set('src\nnot counted', null);
    const before = portrait();
    expect(() => shop.adjust('refused', order, sent)).toThrow(expected);
    expect(portrait()).toEqual(before);
  });
});

describe('after what came before, an adjustment is refused:', () => {
  const exceeds = 'adjustment_exceeds_purchase';
  test.each<[string, Sent[], Sent, object]>([
    [
      'a refund of more than is left',
      [refund('600')],
      refund('500'),
      refusal('CONFLICT', exceeds, 'Only 400 of this purchase can still be refunded.'),
    ],
    [
      'a refund where nothing is left',
      [refund('1000')],
      refund('1'),
      refusal('CONFLICT', exceeds, 'Only 0 of this purchase can still be refunded.'),
    ],
    [
      'a refund after a loss of everything',
      [dispute('1000'), loss('1')],
      refund('5'),
      refusal('CONFLICT', exceeds, 'Only 0 of this purchase can still be refunded.'),
    ],
    [
      'a restoration of more than was refunded',
      [refund('600'), restoration('1', '500')],
      restoration('1', '101'),
      refusal('CONFLICT', exceeds, 'Only 100 of this refund or dispute can still be restored.'),
    ],
    [
      'a restoration of a restoration',
      [refund('600'), restoration('1', '500')],
      restoration('2', '1'),
      refusal('NOT_FOUND', 'adjustment_unknown'),
    ],
    [
      'the loss of a refund',
      [refund('600')],
      loss('1'),
      refusal('NOT_FOUND', 'adjustment_unknown', 'No such dispute in this project.'),
    ],
    [
      'a second loss',
      [dispute('600'), loss('1')],
      loss('1'),
      refusal('CONFLICT', 'dispute_closed', 'This dispute was already lost. Its amount is final.'),
    ],
    [
      'a restoration of what was lost',
      [dispute('600'), loss('1')],
      restoration('1', '1'),
      refusal('CONFLICT', 'dispute_closed', 'This dispute was already lost. Its amount is final.'),
    ],
    [
      'the loss of what was won',
      [dispute('600'), restoration('1', '600')],
      loss('1'),
      refusal(
        'CONFLICT',
        'dispute_closed',
        'This dispute was already won. All of it was restored.',
      ),
    ],
  ])('%s (D-ADJ-1)', (_, past, sent, expected) => {
    shop.buy('order', 'bob');
    send(...past);
    expect(() => shop.adjust('refused', 'order', sent)).toThrow(expected);
  });
});

interface PurchaseTotals {
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
}

test.each<[string, Sent[], PurchaseTotals, string]>([
  [
    'a refund of the rest',
    [refund('600'), refund('400')],
    { refundedMinor: 1_000n, disputedMinor: 0n },
    'ada 0',
  ],
  [
    'a dispute is clamped to what is left',
    [refund('600'), dispute('900')],
    { refundedMinor: 1_000n, disputedMinor: 400n },
    'ada 0',
  ],
  [
    'a dispute that was won',
    [dispute('600'), restoration('1', '600')],
    { refundedMinor: 0n, disputedMinor: 0n },
    'ada 100',
  ],
  [
    'one that was won in part, then lost',
    [dispute('600'), restoration('1', '200'), loss('1')],
    { refundedMinor: 400n, disputedMinor: 0n },
    'ada 60',
  ],
  [
    'a dispute that was lost',
    [dispute('600'), loss('1')],
    { refundedMinor: 600n, disputedMinor: 0n },
    'ada 40',
  ],
  [
    'a refund of what is disputed',
    [dispute('600'), refund('500')],
    { refundedMinor: 600n, disputedMinor: 100n },
    'ada 40',
  ],
  [
    'a refund of more than is disputed',
    [dispute('600'), refund('1000')],
    { refundedMinor: 1_000n, disputedMinor: 0n },
    'ada 0',
  ],
  [
    'a dispute that was won after a refund of a part',
    [dispute('600'), refund('500'), restoration('1', '600')],
    { refundedMinor: 500n, disputedMinor: 0n },
    'ada 50',
  ],
  [
    'a refund that failed',
    [refund('600'), restoration('1', '600')],
    { refundedMinor: 0n, disputedMinor: 0n },
    'ada 100',
  ],
  [
    'all of what was restored in two parts',
    [refund('600'), restoration('1', '200'), restoration('1', '400')],
    { refundedMinor: 0n, disputedMinor: 0n },
    'ada 100',
  ],
])('%s leaves what it should (D-ADJ-1, D-RWD-11)', (_, facts, totals, earned) => {
  shop.buy('order', 'bob');
  send(...facts);
  expect(purchaseOf('order')).toMatchObject(totals);
  expect(shop.earnedBy('order')).toEqual([earned]);
});

describe('the same adjustment again (D-ADJ-1, D-TRACK-5)', () => {
  test('gets the first answer, and changes nothing', () => {
    shop.buy('order', 'bob');
    const first = shop.refund('refund', 'order', '600');
    const before = portrait();
    expect(shop.refund('refund', 'order', '600')).toEqual(first);
    expect(portrait()).toEqual(before);
    expect(() => shop.refund('refund', 'order', '601')).toThrow(
      refusal('CONFLICT', 'event_facts_differ'),
    );
    expect(portrait()).toEqual(before);
  });

  test('may not have the id of another fact', () => {
    shop.buy('order', 'bob');
    expect(() => shop.refund('order', 'order', '1')).toThrow(
      refusal('CONFLICT', 'event_facts_differ'),
    );
  });

  test('can be sent again after it was refused', () => {
    shop.buy('order', 'bob');
    expect(() => shop.refund('refund', 'order', '1001')).toThrow();
    expect(shop.refund('refund', 'order', '1000').success).toBe(true);
  });
});

describe('an adjustment before its purchase (D-ADJ-1)', () => {
  test('is kept for a day, and answered so', () => {
    const answer = shop.refund('refund', 'order', '400');
    expect(answer).toEqual({
      success: true,
      purchaseAdjustmentId: answer.purchaseAdjustmentId,
      purchaseId: null,
      rewardAdjustments: [],
    });
    expect([...shop.made.early.added.values()]).toMatchObject([
      { id: answer.purchaseAdjustmentId, keptAt: NOW, expiresAt: addMs(NOW, DAY_MS) },
    ]);
    expect(shop.refund('refund', 'order', '400')).toEqual(answer);
    expect(shop.made.early.added.size).toBe(1);
  });

  test('is applied when that arrives, under the same id, in the order they came', () => {
    const { purchaseAdjustmentId } = shop.refund('1', 'order', '600');
    shop.adjust('2', 'order', restoration('1', '100'));
    shop.now = addMs(NOW, DAY_MS - 1);
    shop.buy('order', 'bob');
    expect(shop.earnedBy('order')).toEqual(['ada 50']);
    expect(shop.made.adjustments.added.get(purchaseAdjustmentId)).toMatchObject({ kind: 'refund' });
    expect([shop.made.early.added.size, shop.made.early.dropped]).toEqual([0, []]);
  });

  test.each<[string, Sent, number, object]>([
    ['purchase_not_reported', refund('400'), DAY_MS, {}],
    ['adjustment_exceeds_purchase', refund('1001'), 0, {}],
    ['currency_differs', refund('400'), 0, { currency: 'EUR' }],
  ])('is dropped then for %s, and can be sent again', (reason, sent, waitedMs, bought) => {
    shop.adjust('refund', 'order', sent);
    shop.now = addMs(NOW, waitedMs);
    shop.buy('order', 'bob', undefined, bought);
    expect(shop.made.early.dropped).toMatchObject([{ reason }]);
    expect(shop.earnedBy('order')).toEqual(['ada 100']);
    const currency = purchaseOf('order').currency;
    expect(shop.adjust('refund', 'order', { ...refund('1000'), currency }).purchaseId).toBeTruthy();
  });

  test('is dropped if the purchase comes without an amount', () => {
    shop.refund('refund', 'order', '400');
    shop.track({ type: 'purchase', sourceEventId: 'order', ...parties('bob') });
    expect(shop.made.early.dropped).toMatchObject([{ reason: 'purchase_without_amount' }]);
  });
});

test.each<[TermsVersion['refundPolicy'], Sent[], string]>([
  ['full', [refund('1')], 'ada 0'],
  ['full', [refund('1'), restoration('1', '1')], 'ada 100'],
  ['none', [refund('1000')], 'ada 100'],
  ['proportional', [refund('1')], 'ada 100'],
  ['proportional', [refund('5')], 'ada 100'],
  ['proportional', [refund('6')], 'ada 99'],
])('under the policy %s, %j leaves %s (D-TERM-4, D-RWD-11)', (refundPolicy, facts, earned) => {
  shop = openShop({ refundPolicy });
  shop.buy('order', 'bob');
  send(...facts);
  expect(shop.earnedBy('order')).toEqual([earned]);
});

test('a refund of everything takes a discount back, and its failure gives it again (D-RWD-11)', () => {
  shop = openShop(discountTerms());
  shop.buy('order', 'bob');
  const status = () => [...shop.made.rewards.added.values()].map((one) => one.fulfillmentStatus);
  send(refund('1000'));
  expect(status()).toEqual(['cancelled']);
  shop.adjust('2', 'order', restoration('1', '1000'));
  expect(status()).toEqual(['pending']);
});

test('a purchase that was refunded in full when it was decided earns once that is restored (D-RWD-11)', () => {
  shop.refund('1', 'order', '1000');
  shop.buy('order', 'bob');
  expect(shop.earnedBy('order')).toEqual([]);
  shop.adjust('2', 'order', restoration('1', '600'));
  expect(shop.earnedBy('order')).toEqual(['ada 60']);
  expect(shop.eventOf('order').explanation?.rules).toMatchObject([{ verdict: 'earned' }]);
});

describe('what becomes of a Reward (D-RWD-3, D-RWD-11)', () => {
  const stateOf = (order = 'order') =>
    shop
      .rewardsOf(order)
      .flatMap((one) => [one.fulfillmentStatus, String(one.netAmountMinor), one.void?.reasonCode]);
  const news = () => shop.feed.filter((type) => type.startsWith('reward.'));

  test('a dispute of everything holds what was not granted; won, it is due again; lost, it is cancelled', () => {
    shop.buy('order', 'bob');
    send(dispute('1000'));
    expect(shop.rewardsOf('order')).toMatchObject([
      { fulfillmentStatus: 'pending', netAmountMinor: 0n, isDisputed: true },
    ]);
    shop.adjust('2', 'order', restoration('1', '1000'));
    expect(shop.rewardsOf('order')).toMatchObject([
      { fulfillmentStatus: 'pending', netAmountMinor: 100n, isDisputed: false },
    ]);
    shop.adjust('3', 'order', dispute('1000'));
    shop.adjust('4', 'order', loss('3'));
    expect(stateOf()).toEqual(['cancelled', '0', undefined]);
    expect(news()).toEqual(['reward.earned']);
  });

  test.each([
    ['credit', { benefitKind: 'credit' }, ['revocation_pending', '0', 'refund']],
    ['cash, which a payout settles', { benefitKind: 'cash' }, ['fulfilled', '0', undefined]],
  ] as const)('a full refund of what was granted: %s', (_kind, terms, state) => {
    shop = openShop(terms);
    shop.buy('order', 'bob');
    shop.grant('order');
    send(refund('400'));
    expect(stateOf()).toEqual(['fulfilled', '60', undefined]);
    shop.adjust('2', 'order', refund('600'));
    expect(stateOf()).toEqual(state);
  });

  test.each([
    ['a discount', discountTerms],
    ['units', customTerms],
  ])('a full refund takes back %s that was granted, a dispute does not', (_what, makeTerms) => {
    shop = openShop(makeTerms());
    shop.buy('order', 'bob');
    shop.grant('order');
    send(dispute('1000'));
    expect(stateOf()).toEqual(['fulfilled', 'null', undefined]);
    shop.adjust('2', 'order', loss('1'));
    expect(stateOf()).toEqual(['revocation_pending', 'null', 'refund']);
    expect(news()).toEqual(['reward.earned', 'reward.voided']);
  });

  test('a restoration lifts the void of a refund before it was taken back', () => {
    shop = openShop({ benefitKind: 'credit' });
    shop.buy('order', 'bob');
    shop.grant('order');
    send(refund('1000'));
    shop.adjust('2', 'order', restoration('1', '1000'));
    expect(stateOf()).toEqual(['fulfilled', '100', undefined]);
  });

  test('nothing becomes due again to somebody who was erased (D-PART-5)', () => {
    shop.buy('order', 'bob');
    send(refund('1000'));
    expect(stateOf()).toEqual(['cancelled', '0', undefined]);
    shop.change('ada', { deletedAt: NOW });
    shop.adjust('2', 'order', restoration('1', '1000'));
    expect(stateOf()).toEqual(['cancelled', '100', 'participant_deleted']);
  });

  test('who was erased earns nothing by what comes after (D-PART-5)', () => {
    shop.change('ada', { deletedAt: NOW });
    shop.buy('order', 'bob');
    expect(shop.rewardsOf('order')).toEqual([]);
    expect(shop.eventOf('order').explanation?.rules).toMatchObject([
      { verdict: 'skipped', reason: 'enrollment_not_active' },
    ]);
  });
});
