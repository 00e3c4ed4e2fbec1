import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideOverview, type OwedCash, PEOPLE_SHOWN, WAITING_REASONS } from './decide-overview.ts';

const owed = (change: Partial<OwedCash> = {}): OwedCash => ({
  projectId: 'prj_1',
  participantId: 'par_1',
  partnerId: null,
  currency: 'USD',
  currencyExponent: 2,
  dueMinor: 1_000n,
  grossMinor: 1_000n,
  details: 'usable',
  isPaidHere: true,
  isSuspended: false,
  heldUntil: null,
  isUnderReview: false,
  isDisputed: false,
  ...change,
});
const none = () => 0n;
const LATER = '2026-12-01T00:00:00.000Z';

describe('what is owed', () => {
  test('is payable if nothing stands in its way', () => {
    expect(decideOverview([owed(), owed({ participantId: 'par_2' })], none)).toEqual({
      payable: [{ currency: 'USD', currencyExponent: 2, amountMinor: 2_000n, peopleCount: 2 }],
      waiting: [],
    });
  });

  test.each<[string, Partial<OwedCash>]>([
    ['other_delivery_method', { isPaidHere: false, heldUntil: LATER, details: 'missing' }],
    ['suspended', { isSuspended: true, heldUntil: LATER }],
    ['under_review', { isUnderReview: true, heldUntil: LATER, details: 'missing' }],
    ['on_hold', { heldUntil: LATER, details: 'missing' }],
    ['debt', { dueMinor: -1n }],
    ['debt', { dueMinor: -1n, details: 'missing' }],
    ['debt', { dueMinor: -1n, details: 'of_other_method' }],
    ['awaiting_payout_details', { details: 'missing' }],
    ['account_not_connected', { details: 'of_other_method' }],
    ['below_minimum', { dueMinor: 499n }],
    ['below_minimum', { dueMinor: 0n }],
    ['above_maximum', { grossMinor: 10n ** 18n }],
  ])('waits with one reason: %s', (reason, change) => {
    const { payable, waiting } = decideOverview([owed(change)], () => 500n);
    expect(payable).toEqual([]);
    expect(waiting.map((one) => one.reason)).toEqual([reason]);
  });

  test('is a debt if the payee was paid more than they earned, in all projects together', () => {
    const ofPartner = (projectId: string, dueMinor: bigint, currency = 'USD') =>
      owed({
        projectId,
        participantId: `par_${projectId}`,
        partnerId: 'ptn_1',
        dueMinor,
        currency,
      });
    const less = [ofPartner('prj_1', -1_000n), ofPartner('prj_2', 400n)];
    expect(decideOverview(less, none)).toMatchObject({
      payable: [],
      waiting: [{ reason: 'debt', sums: [{ amountMinor: -600n }], peopleCount: 2 }],
    });
    const more = [ofPartner('prj_1', -1_000n), ofPartner('prj_2', 1_400n)];
    expect(decideOverview(more, none)).toMatchObject({
      payable: [{ amountMinor: 400n }],
      waiting: [],
    });
    const mixed = [ofPartner('prj_1', -1_000n), ofPartner('prj_2', 1_400n, 'EUR')];
    expect(decideOverview(mixed, none)).toMatchObject({
      payable: [{ currency: 'EUR', amountMinor: 1_400n }],
      waiting: [{ reason: 'debt', sums: [{ currency: 'USD', amountMinor: -1_000n }] }],
    });
  });

  test('is listed with the largest debt first', () => {
    const rows = [-5n, -70n, -6n].map((dueMinor, n) =>
      owed({ participantId: `par_${n}`, dueMinor }),
    );
    const [debts] = decideOverview(rows, none).waiting;
    expect(debts?.people.map(({ amountMinor }) => amountMinor)).toEqual([-70n, -6n, -5n]);
  });

  test('is summed by currency, with the largest amounts first and the next date of a hold', () => {
    const rows = [
      owed({ heldUntil: LATER, dueMinor: 5n }),
      owed({ participantId: 'par_2', heldUntil: '2026-11-20T00:00:00.000Z', dueMinor: 7n }),
      owed({ currency: 'EUR', heldUntil: LATER, dueMinor: 3n }),
    ];
    const [held] = decideOverview(rows, none).waiting;
    expect(held).toMatchObject({
      reason: 'on_hold',
      nextAt: '2026-11-20T00:00:00.000Z',
      peopleCount: 2,
      sums: [
        { currency: 'EUR', amountMinor: 3n, peopleCount: 1 },
        { currency: 'USD', amountMinor: 12n, peopleCount: 2 },
      ],
    });
    expect(held?.people.map(({ participantId }) => participantId)).toEqual([
      'par_2',
      'par_1',
      'par_1',
    ]);
  });

  test('is listed for some people only, and counted for all', () => {
    const many = Array.from({ length: PEOPLE_SHOWN + 5 }, (_, n) =>
      owed({ participantId: `par_${n}`, details: 'missing' }),
    );
    const [group] = decideOverview(many, none).waiting;
    expect([group?.people.length, group?.peopleCount]).toEqual([PEOPLE_SHOWN, PEOPLE_SHOWN + 5]);
  });

  test('is all there, once: payable and waiting add up to it', () => {
    const anyOwed = fc.record({
      participantId: fc.constantFrom('par_1' as const, 'par_2' as const, 'par_3' as const),
      currency: fc.constantFrom('USD', 'EUR'),
      dueMinor: fc.bigInt({ min: -1_000n, max: 1_000n }),
      isPaidHere: fc.boolean(),
      isSuspended: fc.boolean(),
      heldUntil: fc.constantFrom(null, LATER),
    });
    const anyDetails = fc.constantFrom<OwedCash['details']>('usable', 'of_other_method', 'missing');
    // Somebody has the same details in all rows.
    const detailsOf = fc.record({ par_1: anyDetails, par_2: anyDetails, par_3: anyDetails });
    fc.assert(
      fc.property(fc.array(anyOwed, { maxLength: 20 }), detailsOf, (changes, details) => {
        const rows = changes.map((change) =>
          owed({ ...change, details: details[change.participantId], grossMinor: 1n }),
        );
        const { payable, waiting } = decideOverview(rows, () => 100n);
        const sums = [...payable, ...waiting.flatMap((group) => group.sums)];
        for (const currency of ['USD', 'EUR']) {
          const total = (list: readonly { currency: string }[], of: (one: never) => bigint) =>
            list
              .filter((one) => one.currency === currency)
              .reduce((sum, one) => sum + of(one as never), 0n);
          expect(total(sums, (one: { amountMinor: bigint }) => one.amountMinor)).toBe(
            total(rows, (one: OwedCash) => one.dueMinor),
          );
        }
        for (const { reason, sums: owes } of waiting) {
          const isNegative = owes.map(({ amountMinor }) => amountMinor < 0n);
          if (reason === 'debt') expect(isNegative).not.toContain(false);
          if (reason === 'below_minimum') expect(isNegative).not.toContain(true);
        }
        expect(waiting.map(({ reason }) => WAITING_REASONS.indexOf(reason))).toEqual(
          waiting.map(({ reason }) => WAITING_REASONS.indexOf(reason)).sort((a, b) => a - b),
        );
      }),
    );
  });
});
