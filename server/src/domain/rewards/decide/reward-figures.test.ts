import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aRule, customTerms } from '../../../../test/program-book.ts';
import {
  addToTally,
  differenceOf,
  type Figure,
  type Tally,
} from '../../../platform/figures/tally.ts';
import { DEFAULT_DELIVERY } from '../../programs/delivery-methods.ts';
import type { RewardRow } from '../reward.ts';
import { calculateReward } from './calculate-reward.ts';
import { makeReward } from './earn-rewards.ts';
import {
  type CountedReward,
  figuresOf,
  readUnitTotals,
  UNIT_TOTALS,
  type UnitTotals,
} from './reward-figures.ts';
import { FULFILLMENT_STATUSES } from './states.ts';

function make(unitId: string, quantity: number): RewardRow {
  const terms = customTerms({ quantity });
  const calculated = calculateReward(terms, null);
  if ('skipped' in calculated) throw new Error(calculated.skipped);
  const row = makeReward(
    { projectId: 'prj', now: '2026-11-15T09:30:00.000Z', newId: (prefix) => `${prefix}_new` },
    { verdict: 'earned', rule: aRule([terms]), terms, beneficiaryId: 'par', ...calculated },
    {
      number: 1,
      programId: 'prg',
      eventId: 'evt',
      referralId: null,
      isUnderReview: false,
      purchaseId: null,
      signupPersonId: null,
      delivery: DEFAULT_DELIVERY,
    },
  );
  return { ...row, unitId };
}

const reward = fc.record({
  unitId: fc.constantFrom('unit_a', 'unit_b'),
  quantity: fc.integer({ min: 1, max: 1_000_000 }),
  /** The successive statuses of the Reward. */
  path: fc.array(fc.constantFrom(...FULFILLMENT_STATUSES), { maxLength: 6 }),
});

test('earned = fulfilled + pending + voided, whatever becomes of Rewards (D-PROG-6)', () => {
  fc.assert(
    fc.property(fc.array(reward, { maxLength: 12 }), (rewards) => {
      const tally: Tally = new Map();
      const count = (figures: ReturnType<typeof figuresOf>) => {
        for (const one of figures) addToTally(tally, one);
      };
      const left = rewards.map(({ unitId, quantity, path }) => {
        let row = make(unitId, quantity);
        count(figuresOf(row));
        for (const fulfillmentStatus of path) {
          const next = { ...row, fulfillmentStatus };
          count(differenceOf(figuresOf(row), figuresOf(next)));
          row = next;
        }
        return row;
      });
      const units = [...tally.values()].filter(({ part }) => part === UNIT_TOTALS);
      const totals = new Map(readUnitTotals(units).map((one) => [one.unitId, one]));
      expect(new Set(totals.keys())).toEqual(new Set(left.map(({ unitId }) => unitId)));
      for (const total of totals.values()) expect(total).toEqual(recount(total.unitId, left));
    }),
  );
});

function recount(unitId: string, rows: readonly RewardRow[]): UnitTotals {
  const theirs = rows.filter((row) => row.unitId === unitId);
  const sum = (...statuses: string[]) =>
    theirs
      .filter((row) => statuses.includes(row.fulfillmentStatus))
      .reduce((total, row) => total + (row.quantity ?? 0), 0);
  const totals = {
    unitId,
    count: theirs.length,
    pending: sum('pending', 'in_progress', 'failed'),
    fulfilled: sum('fulfilled'),
    voided: sum('cancelled', 'revocation_pending', 'revoked'),
  };
  expect(totals.pending + totals.fulfilled + totals.voided).toBe(sum(...FULFILLMENT_STATUSES));
  return totals;
}

const alike = fc.record({
  status: fc.constantFrom(...FULFILLMENT_STATUSES),
  isVoid: fc.boolean(),
  isMoney: fc.boolean(),
  method: fc.constantFrom('operator' as const, 'payout' as const),
  worths: fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 9 }),
});

function tallyOf(figures: readonly Figure[]): Tally {
  const tally: Tally = new Map();
  for (const one of figures) addToTally(tally, one);
  return tally;
}

test('Rewards that are alike count together what they count one by one', () => {
  fc.assert(
    fc.property(alike, ({ status, isVoid, isMoney, method, worths }) => {
      const reward = (worth: number): CountedReward => ({
        programId: 'prg_1',
        ruleId: 'rul_1',
        referralId: null,
        signupPersonId: null,
        milestone: null,
        beneficiaryParticipantId: 'par_1',
        isDisputed: false,
        earnedAt: '2026-11-15T09:30:00.000Z',
        amountMinor: isMoney ? BigInt(worth * 2) : null,
        netAmountMinor: isMoney ? BigInt(worth) : null,
        currency: isMoney ? 'USD' : null,
        quantity: isMoney ? null : worth,
        unitId: isMoney ? null : 'unit_1',
        method,
        paidMinor: method === 'payout' ? BigInt(worth) : 0n,
        fulfillmentStatus: status,
        void: isVoid ? {} : null,
      });
      const total = worths.reduce((sum, worth) => sum + worth, 0);
      const together = figuresOf(reward(total), BigInt(worths.length));
      expect(tallyOf(together)).toEqual(
        tallyOf(worths.flatMap((worth) => figuresOf(reward(worth)))),
      );
    }),
  );
});

test('a Reward counts for the earning period of its rule, or for the person who signed up', () => {
  const row = { ...make('unit_a', 1), ruleId: 'rul', referralId: 'ref' };
  const nameOf = (signupPersonId: string | null) =>
    figuresOf({ ...row, signupPersonId })
      .filter(({ name }) => /^(period|once):/.test(name))
      .map(({ subject, name }) => `${subject} ${name}`);
  expect(nameOf(null)).toEqual(['ref period:rul']);
  expect(nameOf('par_new')).toEqual(['par_new once:rul']);
});
