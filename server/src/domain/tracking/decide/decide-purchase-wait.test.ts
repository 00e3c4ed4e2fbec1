import { expect, test } from 'vitest';
import { aProgram, FOUNDED_AT } from '../../../../test/program-book.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import { isAwaited, type PurchaseParty, type PurchaseSituation } from './decide-purchase-wait.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const bookOf = (...programs: ReturnType<typeof aProgram>[]) => ({
  programs: new Map(programs.map((program) => [program.id, program])),
});
const none: PurchaseParty = { hasReferral: false, signup: 'none' };
const decided: PurchaseParty = { hasReferral: false, signup: 'decided' };
const promised: PurchaseParty = { hasReferral: false, signup: 'awaiting_subscription' };
const referred: PurchaseParty = { hasReferral: true, signup: 'decided' };
const waits = (changes: Partial<PurchaseSituation>) =>
  isAwaited({
    own: none,
    others: [],
    participantCreatedAt: NOW,
    receivedAt: NOW,
    now: NOW,
    book: bookOf(aProgram()),
    ...changes,
  });

test('a purchase waits for a signup that it outran (D-EVT-3)', () => {
  expect(waits({})).toBe(true);
  expect(waits({ own: decided })).toBe(false);
  expect(waits({ own: referred })).toBe(false);
  expect(waits({ own: { ...none, hasReferral: true } })).toBe(false);
});

test('somebody who had been there for more than a day when they bought is not waited for', () => {
  expect(waits({ participantCreatedAt: addMs(NOW, -DAY_MS) })).toBe(true);
  expect(waits({ participantCreatedAt: addMs(NOW, -DAY_MS - 1) })).toBe(false);
  expect(waits({ now: addMs(NOW, DAY_MS) })).toBe(true);
});

test('a signup that waits for its subscription leaves purchases waiting, however old it is', () => {
  expect(waits({ own: promised, participantCreatedAt: FOUNDED_AT })).toBe(true);
  expect(waits({ own: { ...promised, hasReferral: true } })).toBe(false);
});

test('a group’s own signup is waited for, whoever referred its actor or its creator (D-EVT-3, D-AM-2)', () => {
  for (const others of [[], [referred], [decided, referred], [promised]]) {
    expect(waits({ others })).toBe(true);
    expect(waits({ own: promised, others })).toBe(true);
    expect(waits({ own: referred, others })).toBe(false);
  }
  expect(waits({ others: [referred], participantCreatedAt: FOUNDED_AT })).toBe(false);
});

test('a group without a referral waits while a signup of its actor or creator waits whose referral would count', () => {
  for (const [others, isWaiting] of [
    [[promised], true],
    [[decided, promised], true],
    [[none, promised], true],
    [[promised, referred], true],
    [[referred, promised], false],
    [[decided, none], false],
    [[{ ...promised, hasReferral: true }], false],
  ] as const) {
    expect(waits({ own: decided, others })).toBe(isWaiting);
    expect(waits({ participantCreatedAt: FOUNDED_AT, others })).toBe(isWaiting);
  }
});

test('nothing waits where no Program refers anybody', () => {
  for (const own of [none, promised]) {
    expect(waits({ own, book: bookOf() })).toBe(false);
    expect(waits({ own, book: bookOf(aProgram({ kind: 'loyalty' })) })).toBe(false);
  }
});
