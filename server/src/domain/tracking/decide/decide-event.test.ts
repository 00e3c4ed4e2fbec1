import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTracking, parties } from '../../../../test/memory-tracking.ts';
import { aProgram, aRule, percentTerms } from '../../../../test/program-book.ts';
import { figureKey } from '../../../platform/figures/tally.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { BookedRule, TermsVersion } from '../../programs/program-book.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const FOREVER = { durationMode: 'forever' } as const;

/** A rule with terms of its own. */
const ruleOf = (
  id: string,
  terms: Partial<TermsVersion> = {},
  changes: Partial<BookedRule> = {},
): BookedRule =>
  aRule([percentTerms(1_000, { id: `trm_${id}`, ruleId: id, ...FOREVER, ...terms })], {
    id,
    ...changes,
  });
const fixed = { calculation: 'fixed', fixedAmountMinor: 500n, currency: 'USD' } as const;
const fixedTerms = { ...fixed, currencyExponent: 2, rateBps: null };

function openShop(rules: readonly BookedRule[], loyalty: readonly BookedRule[] = []) {
  const programs = [
    aProgram({ rules }),
    aProgram({ id: 'loyal', kind: 'loyalty', rules: loyalty }),
  ];
  return new MemoryTracking(NOW, programs, [{ name: 'ada', programId: 'prg' }]);
}

let shop: MemoryTracking;
beforeEach(() => {
  const forSubject = { beneficiaryRole: 'subject' as const };
  shop = openShop(
    [ruleOf('share'), ruleOf('visits', fixedTerms, { eventType: 'custom_visit' })],
    [
      ruleOf('points', { rateBps: 500 }, forSubject),
      ruleOf('visited', fixedTerms, { ...forSubject, eventType: 'custom_visit' }),
    ],
  );
});

const verdictsOf = (sourceEventId: string) =>
  shop
    .eventOf(sourceEventId)
    .explanation?.rules.map(({ ruleId, verdict, reason }) => `${ruleId} ${reason ?? verdict}`);
const recordedOf = (sourceEventId: string) =>
  shop.announced.filter(
    ({ data }) => (data.event as { sourceEventId?: string })?.sourceEventId === sourceEventId,
  );
const countedOf = (subject: string, name: string) =>
  shop.made.counted.get(figureKey({ subject, part: '2026-11-15', name }))?.value;

describe('a purchase', () => {
  test('uses the referral there is, and earns in its Program and in loyalty (D-RULE-2)', () => {
    const { attribution } = shop.signUp('bob', 'ada-prg');
    shop.buy('order', 'bob');
    expect(shop.eventOf('order')).toMatchObject({
      processingState: 'processed',
      processingReason: 'attributed',
      attemptCount: 1,
      nextAttemptAt: null,
      programId: 'prg',
      referralId: attribution?.referralId,
      explanation: { candidates: [] },
    });
    expect(verdictsOf('order')).toEqual(['share earned', 'points earned']);
    expect(shop.earnedBy('order').toSorted()).toEqual(['ada 100', `${shop.idOf('bob')} 50`]);
    expect(shop.state.decidedEvents.get(shop.eventOf('order').id)).toEqual(shop.eventOf('order'));
  });

  test('is announced before what it earned, with whom it was credited to', () => {
    const { attribution } = shop.signUp('bob', 'ada-prg');
    shop.announced.length = 0;
    shop.buy('order', 'bob', undefined, { orderId: 'o-1' });
    expect(shop.feed).toEqual(['event.recorded', 'reward.earned', 'reward.earned']);
    expect(shop.announced[0]?.data).toMatchObject({
      event: { type: 'purchase', purchase: { amountMinor: '1000', orderId: 'o-1' } },
      attribution: { status: 'attributed', reason: 'attributed', touchId: attribution?.touchId },
    });
  });

  test.each([
    ['no_referral', () => shop.signUp('bob')],
    ['no_signup', () => shop.meet('bob')],
    [
      'self_referral',
      () => {
        shop.signUp('Crew', null, 'bob');
        shop.signUp('bob', 'ada-prg');
        shop.state.creatorOf.set('ada', shop.idOf('Crew'));
      },
    ],
  ])('that is credited to nobody says why: %s (D-EVT-1)', (reason, prepare) => {
    prepare();
    const name = reason === 'self_referral' ? 'Crew' : 'bob';
    shop.now = addMs(NOW, 2 * DAY_MS);
    expect(shop.buy('order', name)).toMatchObject({ processingReason: reason, attribution: null });
    expect(shop.eventOf('order')).toMatchObject({ programId: null, referralId: null });
    expect(verdictsOf('order')).toEqual(['points earned']);
    expect(recordedOf('order')).toMatchObject([
      { data: { attribution: { status: 'not_attributed', reason, referralId: null } } },
    ]);
  });

  test('without an amount earns only by fixed terms (D-TRACK-4)', () => {
    shop = openShop([ruleOf('share'), ruleOf('bonus', fixedTerms, { purpose: 'bonus' })]);
    shop.signUp('bob', 'ada-prg');
    shop.track({ type: 'purchase', sourceEventId: 'order', ...parties('bob') });
    expect(verdictsOf('order')).toEqual(['share amount_missing', 'bonus earned']);
  });

  test('of nothing earns nothing (D-TRACK-4)', () => {
    shop.signUp('bob', 'ada-prg');
    shop.buy('order', 'bob', undefined, { amountMinor: '0' });
    expect(shop.eventOf('order').processingReason).toBe('attributed');
    expect(shop.earnedBy('order')).toEqual([]);
  });

  test.each([
    [-DAY_MS, ['ada 100']],
    [-DAY_MS - 1, []],
  ])(
    '%i ms from the binding earns %j: late signups are tolerated for a day (D-TRACK-6)',
    (ms, earned) => {
      shop = openShop([ruleOf('share')]);
      shop.signUp('bob', 'ada-prg');
      const purchase = { amountMinor: '1000', currency: 'USD' };
      const occurredAt = addMs(NOW, ms);
      shop.track({
        type: 'purchase',
        sourceEventId: 'order',
        occurredAt,
        purchase,
        ...parties('bob'),
      });
      expect(shop.eventOf('order').processingReason).toBe('attributed');
      expect(shop.earnedBy('order')).toEqual(earned);
    },
  );

  test('makes a customer of who signs up after it, also without an amount (D-ATTR-5)', () => {
    shop.now = addMs(NOW, 2 * DAY_MS);
    for (const [name, purchase] of [
      ['bob', { amountMinor: '1', currency: 'USD' }],
      ['cyd', null],
    ] as const) {
      shop.now = NOW;
      shop.meet(name);
      shop.now = addMs(NOW, 2 * DAY_MS);
      shop.track({ type: 'purchase', sourceEventId: `of ${name}`, purchase, ...parties(name) });
      expect(shop.signUp(name, 'ada-prg').processingReason).toBe('existing_customer');
    }
  });

  test('is counted, and its referral as one that led to a purchase once', () => {
    shop.signUp('bob', 'ada-prg');
    shop.buy('order', 'bob');
    shop.buy('order-2', 'bob');
    shop.signUp('cyd');
    shop.buy('of cyd', 'cyd');
    expect(countedOf('prj', 'purchases')).toBe(3n);
    expect(countedOf('prg', 'purchases')).toBe(2n);
    expect(countedOf('prg', 'converted')).toBe(1n);
    expect(countedOf('prg', 'customers')).toBe(1n);
    expect(countedOf('prg', 'week:0')).toBe(1n);
    expect(countedOf('prg', 'revenue:USD')).toBe(2_000n);
  });

  test('makes a customer on the day of the one that was received first, in whatever order they are decided', () => {
    shop.signUp('bob', 'ada-prg');
    shop.now = addMs(NOW, 8 * DAY_MS);
    shop.buy('later', 'bob');
    const { counted } = shop.made;
    const on = (part: string, name: string) =>
      counted.get(figureKey({ subject: 'prg', part, name }))?.value;
    expect([on('2026-11-23', 'customers'), on('2026-11-15', 'week:2')]).toEqual([1n, 1n]);
    shop.now = NOW;
    shop.buy('earlier', 'bob');
    expect([on('2026-11-23', 'customers'), on('2026-11-15', 'week:2')]).toEqual([0n, 0n]);
    expect([on('2026-11-15', 'customers'), on('2026-11-15', 'week:0')]).toEqual([1n, 1n]);
    expect(on('2026-11-15', 'converted')).toBe(1n);
    const all = counted.get(figureKey({ subject: 'ada', part: 'prg', name: 'customers' }));
    expect(all?.value).toBe(1n);
    expect(shop.made.referrals).toMatchObject([{ firstPurchaseAt: NOW }]);
  });
});

test('a duplicate invoice is announced as such and counts as no purchase (D-TRACK-5)', () => {
  shop.signUp('bob', 'ada-prg');
  shop.buy('order', 'bob', undefined, { invoiceId: 'inv' });
  shop.buy('again', 'bob', undefined, { invoiceId: 'inv' });
  expect(shop.eventOf('again')).toMatchObject({
    processingState: 'processed',
    processingReason: 'duplicate_invoice',
    attemptCount: 1,
    programId: null,
    referralId: null,
    explanation: { candidates: [], rules: [] },
  });
  expect(recordedOf('again')).toMatchObject([
    {
      type: 'event.recorded',
      data: {
        event: { purchase: { invoiceId: 'inv' } },
        attribution: { status: 'not_attributed', reason: 'duplicate_invoice', referralId: null },
      },
    },
  ]);
  expect(countedOf('prj', 'purchases')).toBe(1n);
  expect(shop.state.customers.decided.size).toBe(1);
});

describe('loyalty', () => {
  test('rewards a purchase when it arrives, and not again when it is decided (D-EVT-3)', () => {
    shop.buy('order', 'bob');
    const bob = shop.idOf('bob');
    expect(shop.eventOf('order').processingState).toBe('pending');
    expect(verdictsOf('order')).toEqual(['points earned']);
    expect(shop.feed).toEqual(['reward.earned']);
    shop.signUp('bob', 'ada-prg');
    expect(shop.earnedBy('order')).toEqual([`${bob} 50`, 'ada 100']);
    expect(verdictsOf('order')).toEqual(['share earned', 'points earned']);
    expect(shop.feed.filter((type) => type === 'reward.earned')).toHaveLength(2);
  });

  test('rewards on decision what it did not at receipt, as all was refunded then and was restored since (D-RWD-11)', () => {
    shop = openShop(
      [],
      [
        ruleOf('points', {}, { beneficiaryRole: 'subject' }),
        ruleOf('off', { enabled: false }, { beneficiaryRole: 'subject', purpose: 'bonus' }),
      ],
    );
    shop.adjust('early', 'order', { amountMinor: '1000' });
    shop.buy('order', 'bob');
    expect(verdictsOf('order')).toEqual(['points zero_amount', 'off terms_disabled']);
    shop.adjust('failed', 'order', { kind: 'restoration', amountMinor: '600', restores: 'early' });
    shop.signUp('bob');
    expect(verdictsOf('order')).toEqual(['points earned', 'off terms_disabled']);
    expect(shop.earnedBy('order')).toEqual([`${shop.idOf('bob')} 60`]);
    expect(shop.feed.filter((type) => type === 'reward.earned')).toHaveLength(1);
  });

  test('gives nothing for what is refunded in full at receipt and stays so', () => {
    shop.adjust('early', 'order', { amountMinor: '1000' });
    shop.buy('order', 'bob');
    shop.signUp('bob', 'ada-prg');
    expect(verdictsOf('order')).toEqual(['share zero_amount', 'points zero_amount']);
    expect(shop.made.rewards.added.size).toBe(0);
  });
});

describe('a refund of a purchase that waits (D-EVT-3)', () => {
  test('is applied when it is decided, step by step, and what is announced is what is left', () => {
    shop = openShop([ruleOf('share')]);
    shop.buy('order', 'bob');
    shop.refund('refund', 'order', '100');
    shop.refund('refund-2', 'order', '300');
    shop.signUp('bob', 'ada-prg');
    expect(shop.earnedBy('order')).toEqual(['ada 60']);
    expect(shop.made.rewardAdjustments.map((one) => one.signedAmountMinor)).toEqual([-10n, -30n]);
    const earned = shop.announced.find(({ type }) => type === 'reward.earned');
    expect(earned?.data).toMatchObject({ reward: { money: { netAmountMinor: '60' } } });
  });

  test('of everything leaves nothing to earn: no Reward is born cancelled (D-RWD-11)', () => {
    shop = openShop([ruleOf('share')]);
    shop.buy('order', 'bob');
    shop.refund('refund', 'order', '1000');
    shop.signUp('bob', 'ada-prg');
    expect(verdictsOf('order')).toEqual(['share zero_amount']);
    expect(shop.made.rewards.added.size).toBe(0);
  });

  test('takes from loyalty at once, and not again on decision', () => {
    shop.buy('order', 'bob');
    shop.refund('refund', 'order', '400');
    const bob = shop.idOf('bob');
    expect(shop.earnedBy('order')).toEqual([`${bob} 30`]);
    shop.signUp('bob', 'ada-prg');
    expect(shop.earnedBy('order')).toEqual([`${bob} 30`, 'ada 60']);
  });
});

describe('an Event of the caller’s own making (D-EVT-4)', () => {
  const visit = (sourceEventId: string, name: string) =>
    shop.track({ type: 'custom_visit', sourceEventId, ...parties(name) });

  test('is decided at once and earns by the referral there is, which it does not name', () => {
    const { attribution } = shop.signUp('bob', 'ada-prg');
    shop.announced.length = 0;
    expect(visit('1', 'bob')).toMatchObject({
      processingState: 'processed',
      processingReason: 'not_applicable',
      attribution: null,
    });
    expect(shop.eventOf('1')).toMatchObject({
      programId: 'prg',
      referralId: attribution?.referralId,
      attemptCount: 1,
    });
    expect(verdictsOf('1')).toEqual(['visits earned', 'visited earned']);
    expect(shop.feed).toEqual(['event.recorded', 'reward.earned', 'reward.earned']);
    expect(shop.announced[0]?.data).toMatchObject({ event: { purchase: null }, attribution: null });
    expect(countedOf('prg', 'events')).toBe(2n);
  });

  test('of somebody without a referral earns in loyalty alone, and waits for nothing', () => {
    expect(visit('1', 'bob').processingState).toBe('processed');
    expect(verdictsOf('1')).toEqual(['visited earned']);
    shop.signUp('bob', 'ada-prg');
    expect(shop.earnedBy('1')).toEqual([`${shop.idOf('bob')} 500`]);
  });
});

describe('once, caps and months count what stands (D-TERM-3, D-TERM-6)', () => {
  const rewarded = (terms: Partial<TermsVersion>) => {
    shop = openShop([ruleOf('share', terms)]);
    shop.signUp('bob', 'ada-prg');
    return (sourceEventId: string, more: object = {}) => {
      const purchase = { amountMinor: '1000', currency: 'USD' };
      shop.track({ type: 'purchase', sourceEventId, purchase, ...parties('bob'), ...more });
      return shop.earnedBy(sourceEventId).length === 1;
    };
  };

  test.each<[string, Partial<TermsVersion>]>([
    ['once', { durationMode: 'once' }],
    ['a cap of one', { ...FOREVER, maxRewardsPerBeneficiary: 1 }],
  ])('%s: a returned first order costs nobody the next one', (_, terms) => {
    const buy = rewarded(terms);
    expect([buy('1'), buy('2')]).toEqual([true, false]);
    shop.refund('refund', '1', '1000');
    expect([buy('3'), buy('4')]).toEqual([true, false]);
  });

  test('months run from the first earning, in calendar months, the end excluded', () => {
    const buy = rewarded({ durationMode: 'months', durationMonths: 1 });
    expect(buy('1')).toBe(true);
    shop.now = '2026-12-15T09:30:00.000Z';
    expect(buy('2', { occurredAt: '2026-12-15T09:29:59.999Z' })).toBe(true);
    expect(buy('3', { occurredAt: shop.now })).toBe(false);
  });
});

test('one Reward for each rule, Event and beneficiary, by the version in effect then (D-TERM-5)', () => {
  const later = addMs(NOW, DAY_MS);
  const versions = [
    percentTerms(1_000, { id: 'v1', ruleId: 'share', ...FOREVER }),
    percentTerms(2_000, { id: 'v2', ruleId: 'share', version: 2, effectiveAt: later, ...FOREVER }),
  ];
  shop = openShop([aRule(versions, { id: 'share' }), ruleOf('off', { enabled: false })]);
  shop.signUp('bob', 'ada-prg');
  shop.buy('order', 'bob');
  shop.now = later;
  shop.buy('order-2', 'bob');
  expect([shop.earnedBy('order'), shop.earnedBy('order-2')]).toEqual([['ada 100'], ['ada 200']]);
  expect(verdictsOf('order-2')).toEqual(['share earned', 'off terms_disabled']);
});

test('who leaves is rewarded for what happened before, however late it is reported (D-AM-3)', () => {
  shop = openShop([], [ruleOf('points', {}, { beneficiaryRole: 'subject' })]);
  const bought = (sourceEventId: string, occurredAt: string) => {
    const purchase = { amountMinor: '1000', currency: 'USD' };
    shop.track({ type: 'purchase', sourceEventId, purchase, occurredAt, ...parties('bob') });
    return shop.earnedBy(sourceEventId).length;
  };
  expect(bought('1', NOW)).toBe(1);
  shop.now = addMs(NOW, 2);
  const [span] = shop.state.enrollments.splice(1);
  shop.state.enrollments.push({ ...span, endsAt: addMs(NOW, 1) } as never);
  expect([bought('2', NOW), bought('3', addMs(NOW, 1)), bought('4', shop.now)]).toEqual([1, 0, 0]);
});
