import { expect, test } from 'vitest';
import { aProgram, FOUNDED_AT } from '../../test/program-book.ts';
import { addMs, DAY_MS } from '../kit/instant.ts';
import { type PurchaseSituation, waitUntil } from './decide-purchase-wait.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const bookOf = (...programs: ReturnType<typeof aProgram>[]) => ({
  programs: new Map(programs.map((program) => [program.id, program])),
});
const waits = (changes: Partial<PurchaseSituation>) =>
  waitUntil({
    hasReferral: false,
    isOwnReferral: false,
    signup: 'none',
    participantCreatedAt: NOW,
    now: NOW,
    book: bookOf(aProgram()),
    ...changes,
  });
const aDay = addMs(NOW, DAY_MS);
const own = { hasReferral: true, isOwnReferral: true };

test('a purchase waits a day for a signup that it outran (D-EVT-3)', () => {
  expect(waits({})).toBe(aDay);
  expect(waits({ signup: 'decided' })).toBeNull();
  expect(waits(own)).toBeNull();
});

test('somebody who has been there for more than a day is not waited for', () => {
  expect(waits({ participantCreatedAt: addMs(NOW, -DAY_MS) })).toBe(aDay);
  expect(waits({ participantCreatedAt: addMs(NOW, -DAY_MS - 1) })).toBeNull();
});

test('a signup that waits for its subscription leaves purchases waiting, however old it is', () => {
  const promised = { signup: 'awaiting_subscription', participantCreatedAt: FOUNDED_AT } as const;
  expect(waits(promised)).toBe(aDay);
  expect(waits({ ...promised, ...own })).toBeNull();
});

test('a referral of the actor or the creator is not waited past, but for one that is promised (D-AM-2)', () => {
  expect(waits({ hasReferral: true })).toBeNull();
  expect(waits({ hasReferral: true, signup: 'awaiting_subscription' })).toBe(aDay);
});

test('nothing waits where no Program refers anybody', () => {
  for (const signup of ['none', 'awaiting_subscription'] as const) {
    expect(waits({ signup, book: bookOf() })).toBeNull();
    expect(waits({ signup, book: bookOf(aProgram({ kind: 'loyalty' })) })).toBeNull();
  }
});
