import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { FindAnswer, SubmitAnswer } from '../provider.ts';
import { REFUSALS_MAX } from '../schedule.ts';
import { decideCall } from './decide-call.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const payout = {
  status: 'processing',
  providerReference: null,
  failureCode: null,
  unansweredSince: null,
  failureReason: null,
  failureMessage: null,
  paidAt: null,
  attempt: 1,
  isSent: true,
  sentAt: '2026-11-15T09:29:00.000Z',
  tries: 0,
} as const;
const failure = { failureReason: 'limit_exceeded', failureMessage: null } as const;

test('an unknown outcome is asked about, never sent again by itself (D-PAY-3)', () => {
  const { standing, next } = decideCall(payout, { state: 'unknown' }, NOW);
  expect(standing).toBeNull();
  expect(next).toMatchObject({ isSent: true, attempt: 1, dueAt: addMs(NOW, 60_000) });
});

test('only a provider that is certain to have none gets the same order again, at once', () => {
  expect(decideCall(payout, { state: 'none' }, NOW).next).toMatchObject({
    isSent: false,
    attempt: 1,
    dueAt: NOW,
  });
});

test('one that is asked by ordering again stays under its key, and may have been made (D-PAY-3)', () => {
  expect(decideCall(payout, { state: 'none' }, NOW).next.sentAt).toBeNull();
  expect(decideCall(payout, { state: 'ask_by_order' }, NOW).next).toMatchObject({
    isSent: false,
    sentAt: payout.sentAt,
    attempt: 1,
    dueAt: NOW,
  });
});

test('a definite refusal takes a new key, and after the last one the payout has failed', () => {
  const refused = { state: 'refused', ...failure } as const;
  expect(decideCall(payout, refused, NOW).next).toMatchObject({ isSent: false, attempt: 2 });
  const last = decideCall({ ...payout, attempt: REFUSALS_MAX }, refused, NOW);
  expect(last.standing).toMatchObject({ status: 'failed', failureReason: 'limit_exceeded' });
  expect(last.next.dueAt).toBeNull();
});

test.each([{ state: 'none' }, { state: 'refused', ...failure }] as const)(
  'what was told of an order that came to nothing ($state) is not said of the next one',
  (answer) => {
    const named = { ...payout, providerReference: 'first', failureCode: 'WRONG_IBAN' };
    expect(decideCall(named, answer, NOW).next).toMatchObject({
      sentAt: null,
      providerReference: null,
      failureCode: null,
    });
    expect(decideCall(named, { state: 'unknown' }, NOW).next).toMatchObject({
      providerReference: 'first',
      failureCode: 'WRONG_IBAN',
    });
  },
);

test('each call that changes nothing makes the next one wait longer', () => {
  const { next } = decideCall({ ...payout, tries: 3 }, { state: 'unknown' }, NOW);
  expect(next).toMatchObject({ tries: 4, dueAt: addMs(NOW, 8 * MINUTE_MS) });
  const asked = decideCall({ ...payout, tries: 3 }, { state: 'ask_by_order' }, NOW);
  expect(asked.next.tries).toBe(3);
});

test.each([
  ['a first name is news', { known: null, told: 'r' }, { tries: 0, minutes: 1 }],
  ['a new name is news', { known: 'q', told: 'r' }, { tries: 0, minutes: 1 }],
  ['the same name is no news', { known: 'r', told: 'r' }, { tries: 4, minutes: 8 }],
  [
    'no name is no news, and the known one stays',
    { known: 'r', told: null },
    { tries: 4, minutes: 8 },
  ],
] as const)('of a transfer under way, %s', (_, { known, told }, { tries, minutes }) => {
  const named = { ...payout, isSent: false, tries: 3, providerReference: known };
  const { standing, next } = decideCall(named, { state: 'processing', reference: told }, NOW);
  expect(standing).toBeNull();
  expect(next).toMatchObject({
    isSent: true,
    providerReference: 'r',
    tries,
    dueAt: addMs(NOW, minutes * MINUTE_MS),
  });
});

test('one that is paid is watched from then on, by the name that came with the answer', () => {
  expect(decideCall(payout, { state: 'paid', reference: 'r' }, NOW)).toEqual({
    standing: {
      status: 'paid',
      providerReference: 'r',
      failureReason: null,
      failureMessage: null,
      paidAt: NOW,
    },
    next: {
      attempt: 1,
      isSent: true,
      sentAt: payout.sentAt,
      tries: 0,
      providerReference: 'r',
      failureCode: null,
      unansweredSince: null,
      dueAt: addMs(NOW, DAY_MS),
    },
  });
});

test('one that failed says why, and is not asked about again', () => {
  const told = { state: 'failed', reference: 'r', ...failure } as const;
  const { standing, next } = decideCall(payout, told, NOW);
  expect(standing).toEqual({ status: 'failed', providerReference: 'r', ...failure, paidAt: null });
  expect(next.dueAt).toBeNull();
});

test('one that was paid and came back is not asked about again', () => {
  const back = { ...payout, status: 'returned', paidAt: NOW, ...failure } as const;
  expect(decideCall(back, { state: 'paid', reference: 'r' }, NOW).next.dueAt).toBeNull();
});

test('what was paid is watched for a month, and can only come back', () => {
  const paid = { ...payout, status: 'paid', paidAt: NOW } as const;
  const ask = (now: string) => decideCall(paid, { state: 'paid', reference: null }, now).next.dueAt;
  expect(ask(NOW)).toBe(addMs(NOW, DAY_MS));
  expect(ask(addMs(NOW, 30 * DAY_MS - 1))).not.toBeNull();
  expect(ask(addMs(NOW, 30 * DAY_MS))).toBeNull();
  expect(
    decideCall(paid, { state: 'failed', reference: null, ...failure }, NOW).standing,
  ).toBeNull();
  expect(
    decideCall(paid, { state: 'returned', reference: null, ...failure }, NOW).standing,
  ).toMatchObject({ status: 'returned', paidAt: NOW });
});

test.each([
  ['processing', 30, true],
  ['processing', 400, true],
  ['failed', 30, true],
  ['unknown', 89, true],
  ['unknown', 90, false],
] as const)(
  'one that is %s %s days after it was paid is asked about: %s',
  (state, days, isAsked) => {
    const paid = { ...payout, status: 'paid', paidAt: NOW } as const;
    const answer = { state, reference: null, ...failure } as SubmitAnswer;
    const { standing, next } = decideCall(paid, answer, addMs(NOW, days * DAY_MS));
    expect([standing, next.dueAt !== null]).toEqual([null, isAsked]);
  },
);

test('of one that came back it may be learned later why, and nothing else', () => {
  const back = { ...payout, status: 'returned', failureReason: 'recipient_refused' } as const;
  const told = { state: 'returned', reference: 'r', ...failure } as const;
  const { standing, next } = decideCall(back, told, NOW);
  expect(standing).toMatchObject({ status: 'returned', failureReason: 'limit_exceeded' });
  expect(next.dueAt).toBeNull();
  expect(decideCall({ ...back, ...standing }, told, NOW).standing).toBeNull();
  expect(decideCall(back, { state: 'paid', reference: 'r' }, NOW).standing).toBeNull();
});

test('it is remembered since when nobody can say, until somebody does', () => {
  const silent = decideCall(payout, { state: 'unknown' }, NOW).next;
  expect(silent.unansweredSince).toBe(NOW);
  const later = addMs(NOW, DAY_MS);
  const since = (answer: SubmitAnswer | FindAnswer) =>
    decideCall({ ...payout, ...silent }, answer, later).next.unansweredSince;
  expect(since({ state: 'unknown' })).toBe(NOW);
  expect(since({ state: 'ask_by_order' })).toBe(NOW);
  expect(since({ state: 'none' })).toBeNull();
  expect(since({ state: 'processing', reference: 'r' })).toBeNull();
});

test('in any sequence of answers, no order goes out under a key whose outcome is not known', () => {
  const answer = fc.constantFrom<(SubmitAnswer | FindAnswer)[]>(
    { state: 'unknown' },
    { state: 'none' },
    { state: 'ask_by_order' },
    { state: 'processing', reference: 'r' },
    { state: 'paid', reference: 'r' },
    { state: 'failed', reference: 'r', ...failure },
    { state: 'returned', reference: 'r', ...failure },
    { state: 'refused', ...failure },
  );
  fc.assert(
    fc.property(fc.array(answer), (answers) => {
      let row: Parameters<typeof decideCall>[0] = payout;
      for (const one of answers) {
        const { standing, next } = decideCall(row, one, NOW);
        const orders = !next.isSent && next.dueAt !== null;
        if (orders && row.isSent) {
          expect(['none', 'ask_by_order', 'refused']).toContain(one.state);
        }
        const isFresh = next.sentAt === null && row.sentAt !== null;
        if (isFresh) expect(['none', 'refused']).toContain(one.state);
        // No lookup uses the reference of an order that is over.
        if (isFresh && standing === null) expect(next.providerReference).toBeNull();
        if (next.attempt > row.attempt) expect(one.state).toBe('refused');
        row = { ...row, ...next, ...standing };
      }
    }),
  );
});
