import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTracking, parties } from '../../../../test/memory-tracking.ts';
import { aPolicy, aProgram, aRule, percentTerms } from '../../../../test/program-book.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { normalizeEvent, signupIdOf } from '../intake/normalize-event.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const WAITING = { processingState: 'pending', processingReason: 'awaiting_attribution' };
const DIFFER = expect.objectContaining({ code: 'CONFLICT', reason: 'event_facts_differ' });

let shop: MemoryTracking;
beforeEach(() => {
  const rule = aRule([percentTerms(1_000, { durationMode: 'forever' })]);
  shop = new MemoryTracking(
    NOW,
    [
      aProgram({ rules: [rule] }),
      aProgram({ id: 'later', policies: [aPolicy({ bindingTrigger: 'subscription' })] }),
    ],
    ['prg', 'later'].map((programId) => ({ name: 'ada', programId })),
  );
});

/** Everything that could change. */
const portrait = () => structuredClone([shop.state, shop.made, shop.introduced, shop.announced]);
const source = () => shop.state.sources.get('src') ?? expect.fail('There is no source.');
const changeSource = (changes: object) => {
  Object.assign(source(), changes);
};
const visit = (sourceEventId: string, more: object = {}) =>
  shop.track({ type: 'custom_visit', sourceEventId, ...parties('bob'), ...more });

describe('an Event is refused, and nothing changes by it,', () => {
  test.each<[string, () => unknown, object]>([
    [
      'if its source is unknown',
      () => visit('1', { sourceNamespaceId: 'elsewhere' }),
      { code: 'NOT_FOUND', message: 'No such source in this project.' },
    ],
    [
      'if its source is disabled (D-SRC-1)',
      () => {
        changeSource({ enabled: false });
        return visit('1');
      },
      { code: 'CONFLICT', reason: 'source_disabled' },
    ],
    [
      'if it is in the future',
      () => visit('1', { occurredAt: addMs(NOW, 5 * MINUTE_MS + 1) }),
      { code: 'INVALID_REQUEST', details: [{ path: 'occurredAt', issue: 'is in the future' }] },
    ],
    [
      'if it lies more than a year back',
      () => visit('1', { occurredAt: addMs(NOW, -365 * DAY_MS - 1) }),
      { code: 'INVALID_REQUEST' },
    ],
    [
      'if its participant was erased',
      () => visit('1', parties('gone')),
      { code: 'CONFLICT', reason: 'participant_deleted' },
    ],
    [
      'if its actor was erased',
      () => visit('1', parties('Crew', 'gone')),
      { code: 'CONFLICT', reason: 'participant_deleted' },
    ],
    [
      'if its id is one that the service gives to a signup of somebody else (D-TRACK-1)',
      () => visit(signupIdOf(`par_${'z'.repeat(26)}`)),
      { code: 'CONFLICT', reason: 'event_facts_differ' },
    ],
  ])('%s', (_, send, refusal) => {
    (shop.state.participants.erased as Set<string>).add('individual gone');
    const before = portrait();
    expect(send).toThrow(expect.objectContaining(refusal));
    changeSource({ enabled: true });
    expect(portrait()).toEqual(before);
  });
});

test('an import source may tell of what is older than a year', () => {
  changeSource({ kind: 'import' });
  expect(visit('1', { occurredAt: addMs(NOW, -400 * DAY_MS) }).success).toBe(true);
});

describe('an id names one fact for ever (D-TRACK-5)', () => {
  test('the same fact again gets the first answer, and changes nothing', () => {
    const purchase = { amountMinor: '1000', currency: 'USD', invoiceId: 'inv' };
    const send = () =>
      shop.track({ type: 'purchase', sourceEventId: 'order', purchase, ...parties('bob') });
    const first = send();
    shop.signUp('bob', 'ada-prg');
    const before = portrait();
    // A time that was not sent is not part of the fact.
    shop.now = addMs(NOW, DAY_MS);
    changeSource({ enabled: false });
    expect(send()).toEqual(first);
    changeSource({ enabled: true });
    expect(portrait()).toEqual(before);
  });

  test.each<[string, object]>([
    ['another type', { type: 'custom_other' }],
    ['another participant', parties('cyd')],
    ['an actor', parties('Crew', 'bob')],
    ['another time', { occurredAt: addMs(NOW, -1) }],
    ['other properties', { properties: { color: 'red' } }],
  ])('%s under it is refused', (_, other) => {
    visit('1');
    const before = portrait();
    expect(() => visit('1', other)).toThrow(DIFFER);
    expect(portrait()).toEqual(before);
  });

  test('across kinds of facts', () => {
    shop.start('1', 'bob');
    expect(() => visit('1')).toThrow(DIFFER);
  });

  test('in another source it is another fact', () => {
    (shop.state.sources as Map<string, object>).set('two', { ...source(), id: 'two' });
    expect(visit('1').eventId).not.toBe(visit('1', { sourceNamespaceId: 'two' }).eventId);
  });
});

describe('a person’s second signup (D-TRACK-3)', () => {
  test('gets the first answer, whatever else it says, and changes nothing', () => {
    const first = shop.signUp('bob', 'ada-prg');
    shop.openBrowser('browser', 'ada-prg');
    const before = portrait();
    const again = shop.track({
      type: 'signup',
      sourceEventId: 'another',
      identify: { handle: 'browser' },
      refCode: 'nobody',
      occurredAt: addMs(NOW, 400 * DAY_MS),
      ...parties('bob'),
    });
    expect(again).toEqual(first);
    expect(shop.ownerOf('browser')).toBeNull();
    expect(portrait()).toEqual(before);
  });

  test('is one also after a signup with an id', () => {
    const first = shop.track({ type: 'signup', sourceEventId: 'sign', ...parties('bob') });
    expect(shop.signupOf('bob').sourceEventId).toBe('sign');
    expect(shop.signUp('bob', 'ada-prg')).toEqual(first);
  });

  test('nobody else can sign up under its id', () => {
    shop.track({ type: 'signup', sourceEventId: 'sign', ...parties('bob') });
    const other = { type: 'signup', sourceEventId: 'sign', ...parties('cyd') };
    expect(() => shop.track(other)).toThrow(DIFFER);
  });

  test('a signup under the id that the service gives it is one without an id (D-TRACK-1)', () => {
    shop.meet('bob');
    const sourceEventId = signupIdOf(shop.idOf('bob'));
    shop.track({ type: 'signup', sourceEventId, ...parties('bob') });
    expect(shop.signupOf('bob').sourceEventId).toBeNull();
    expect(shop.made.keys.map((key) => key.sourceEventId)).toEqual(['met bob']);
    // For somebody else, or any other fact, this id is taken.
    expect(() => shop.track({ type: 'signup', sourceEventId, ...parties('cyd') })).toThrow(DIFFER);
    expect(() => visit(sourceEventId)).toThrow(DIFFER);
  });

  test('is kept with its answer, so that a later batch finds it', () => {
    const answer = shop.signUp('bob', 'ada-prg');
    expect(shop.made.signups).toEqual([
      { participantId: shop.idOf('bob'), eventId: answer.eventId, answer },
    ]);
    visit('1');
    expect(shop.made.signups).toHaveLength(1);
  });
});

test('an Event is recorded as it was sent, with when it happened and when it came', () => {
  const properties = { color: 'red' };
  const occurredAt = addMs(NOW, -DAY_MS);
  const body = { type: 'custom_visit', sourceEventId: '1', occurredAt, properties };
  const { eventId } = shop.track({ ...body, ...parties('Crew', 'bob') });
  const input = normalizeEvent({ sourceNamespaceId: 'src', ...body, ...parties('Crew', 'bob') });
  expect(shop.eventOf('1')).toEqual({
    id: eventId,
    number: 1,
    type: 'custom_visit',
    participantId: shop.idOf('Crew'),
    actorParticipantId: shop.idOf('bob'),
    sourceNamespaceId: 'src',
    sourceEventId: '1',
    occurredAt,
    receivedAt: NOW,
    facts: { purchase: null, properties },
    factsHash: input.factsHash,
    processingState: 'processed',
    processingReason: 'not_applicable',
    attemptCount: 1,
    nextAttemptAt: null,
    explanation: { candidates: [], rules: [] },
    programId: null,
    referralId: null,
  });
  expect(eventId).toMatch(/^evt_/);
});

test('new parties are introduced once each, also if one call names somebody twice', () => {
  shop.signUp('Crew', null, 'zoe');
  visit('1', parties('Crew', 'zoe'));
  expect(shop.introduced).toEqual([shop.idOf('Crew'), shop.idOf('zoe')]);
});

describe('a purchase before its person’s signup (D-EVT-3)', () => {
  test('waits a day for it, decided nowhere', () => {
    expect(shop.buy('order', 'bob')).toEqual({
      success: true,
      identified: false,
      identifyReason: null,
      eventId: shop.eventOf('order').id,
      participantId: shop.idOf('bob'),
      ...WAITING,
      attribution: null,
      refCode: null,
    });
    const order = shop.eventOf('order');
    expect(order).toMatchObject({
      ...WAITING,
      attemptCount: 0,
      nextAttemptAt: addMs(NOW, DAY_MS),
      explanation: { candidates: [], rules: [] },
    });
    expect(shop.state.waiting.get(shop.idOf('bob'))).toEqual([order]);
    expect(shop.feed).toEqual([]);
  });

  test('is decided together with it, in the order they came', () => {
    shop.buy('order', 'bob');
    shop.buy('order-2', 'bob');
    shop.buy('of another', 'cyd');
    shop.signUp('bob', 'ada-prg');
    expect(shop.earnedBy('order')).toEqual(['ada 100']);
    expect(shop.earnedBy('order-2')).toEqual(['ada 100']);
    expect(shop.eventOf('of another')).toMatchObject(WAITING);
    const orders = shop.announced.flatMap(({ data }) => {
      const { event } = data as { event?: { type: string; sourceEventId: string } };
      return event ? [event.sourceEventId] : [];
    });
    expect(orders).toEqual([signupIdOf(shop.idOf('bob')), 'order', 'order-2']);
  });

  test('waits on if the signup must not fail with it', () => {
    shop.buy('order', 'bob');
    const event = normalizeEvent({
      sourceNamespaceId: 'src',
      type: 'signup',
      refCode: 'ada-prg',
      ...parties('bob'),
    });
    shop.submit({ kind: 'event', event, leavesWaiting: true });
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    shop.now = addMs(NOW, DAY_MS);
    shop.settleDue('bob');
    expect(shop.earnedBy('order')).toEqual(['ada 100']);
  });

  test('is no reason for anything but a signup to decide it', () => {
    shop.buy('order', 'Crew', 'zoe');
    shop.signUp('zoe', 'ada-prg');
    visit('1', parties('Crew'));
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    // Not even once nothing is left to wait for: then it is decided at its deadline.
    (shop.state.book.programs as Map<string, unknown>).clear();
    visit('2', parties('Crew'));
    expect(shop.eventOf('order')).toMatchObject(WAITING);
  });

  test('is decided at its deadline: there was no signup', () => {
    shop.buy('order', 'bob');
    shop.now = addMs(NOW, DAY_MS - 1);
    shop.settleDue('bob');
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    shop.now = addMs(NOW, DAY_MS);
    shop.settleDue('bob');
    expect(shop.eventOf('order')).toMatchObject({
      processingState: 'processed',
      processingReason: 'no_signup',
      attemptCount: 1,
      nextAttemptAt: null,
    });
  });
});

test('a code on anything but a signup is ignored, and the answer says so (D-TRACK-1)', () => {
  for (const type of ['custom_visit', 'purchase']) {
    const body = { type, sourceEventId: type, refCode: 'ada-prg', ...parties('bob') };
    expect(shop.track(body).refCode).toEqual({ accepted: false, reason: 'not_a_signup' });
  }
  expect(shop.referrerOf('bob')).toBeNull();
});

test('an adjustment waits on for its purchase, whatever else comes under that id (D-ADJ-1)', () => {
  shop.refund('early', 'order', '400');
  visit('order');
  expect([...shop.state.early.values()].flat()).toHaveLength(1);
  expect(shop.made.early.dropped).toEqual([]);
});

test('ids and invoice numbers may be the word null: that is not to have none', () => {
  visit('null');
  expect(shop.signUp('bob', 'ada-prg').processingReason).toBe('attributed');
  for (const [at, invoiceId] of [null, 'null', null].entries()) {
    const { processingReason } = shop.buy(`order ${at}`, 'bob', undefined, { invoiceId });
    expect(processingReason).toBe('attributed');
  }
});

test('a purchase keeps its amounts, and nothing of it is refunded', () => {
  const purchase = {
    amountMinor: '1000',
    currency: 'usd',
    taxAmountMinor: '190',
    orderId: 'ord',
    invoiceId: 'inv',
    subscriptionId: 'sub',
    billingReason: 'one_time' as const,
  };
  shop.buy('order', 'bob', undefined, purchase);
  const { id: eventId } = shop.eventOf('order');
  const [kept] = [...shop.made.purchases.added.values()];
  expect(kept).toEqual({
    ...purchase,
    currency: 'USD',
    currencyExponent: 2,
    id: kept?.id,
    eventId,
    participantId: shop.idOf('bob'),
    duplicateOf: null,
    loyaltyProgramIds: [],
    receivedAt: NOW,
    refundedMinor: 0n,
    disputedMinor: 0n,
  });
  expect(kept?.id).toMatch(/^pur_/);
  expect(shop.state.purchaseOfEvent.get(eventId)).toBe(kept?.id);
});

test('a purchase without an amount is none to refund (D-TRACK-4)', () => {
  shop.track({ type: 'purchase', sourceEventId: 'order', ...parties('bob') });
  expect(shop.made.purchases.added.size).toBe(0);
  expect(() => shop.refund('refund', 'order', '1')).toThrow(
    expect.objectContaining({ reason: 'purchase_without_amount' }),
  );
});

describe('an invoice that is told again (D-TRACK-5)', () => {
  const told = (sourceEventId: string, name: string, more: object = {}) =>
    shop.buy(sourceEventId, name, undefined, { invoiceId: 'inv', ...more });
  const purchaseOf = (sourceEventId: string) =>
    [...shop.made.purchases.added.values()].find(
      ({ eventId }) => eventId === shop.eventOf(sourceEventId).id,
    );

  test('earns nothing, at once, also where its person has not signed up', () => {
    told('order', 'bob');
    expect(told('again', 'bob')).toMatchObject({
      processingState: 'processed',
      processingReason: 'duplicate_invoice',
      attribution: null,
    });
    shop.signUp('bob', 'ada-prg');
    expect(told('thrice', 'bob').processingReason).toBe('duplicate_invoice');
    const first = purchaseOf('order')?.id;
    expect(purchaseOf('again')?.duplicateOf).toBe(first);
    expect(purchaseOf('thrice')?.duplicateOf).toBe(first);
    expect([shop.earnedBy('again'), shop.earnedBy('thrice')]).toEqual([[], []]);
  });

  test('is refunded as the first purchase', () => {
    shop.signUp('bob', 'ada-prg');
    told('order', 'bob');
    told('again', 'bob');
    expect(shop.refund('refund', 'again', '1000').purchaseId).toBe(purchaseOf('order')?.id);
    expect(shop.earnedBy('order')).toEqual(['ada 0']);
  });

  test.each<[string, string, object]>([
    ['by somebody else', 'cyd', {}],
    ['in another currency', 'bob', { currency: 'EUR' }],
    ['under another number', 'bob', { invoiceId: 'inv-2' }],
    ['without a number', 'bob', { invoiceId: null }],
  ])('%s is another purchase', (_, name, more) => {
    shop.signUp('bob', 'ada-prg');
    shop.signUp('cyd', 'ada-prg');
    told('order', 'bob');
    shop.buy('no number', 'bob');
    expect(told('other', name, more).processingReason).toBe('attributed');
    expect(purchaseOf('other')?.duplicateOf).toBeNull();
    const currency = purchaseOf('other')?.currency ?? '';
    shop.adjust('refund', 'other', { amountMinor: '1000', currency });
    expect(shop.earnedBy('order')).toEqual(['ada 100']);
  });
});

test('what was refunded before the purchase was reported is no part of what it earns (D-ADJ-1)', () => {
  shop.signUp('bob', 'ada-prg');
  shop.refund('early', 'order', '400');
  shop.refund('of another', 'other', '400');
  shop.buy('order', 'bob');
  expect(shop.earnedBy('order')).toEqual(['ada 60']);
  expect([...shop.state.early.values()].flat()).toHaveLength(1);
});

test('the answer says whom a purchase was credited to, and of other Events nothing (D-EVT-4)', () => {
  const { attribution } = shop.signUp('bob', 'ada-prg');
  expect(attribution).toMatchObject({ referrerParticipantId: 'ada' });
  expect(shop.buy('order', 'bob').attribution).toEqual(attribution);
  expect(visit('1').attribution).toBeNull();
});

test('a signup that a subscription from before it binds says so in its answer (D-SUB-1)', () => {
  shop.meet('bob');
  shop.start('started', 'bob');
  const answer = shop.signUp('bob', 'ada-later');
  expect(answer).toMatchObject({ processingReason: 'attributed', refCode: { accepted: true } });
  expect(answer.attribution?.referrerParticipantId).toBe('ada');
  expect(shop.state.signups.get(shop.idOf('bob'))).toEqual(answer);
});
