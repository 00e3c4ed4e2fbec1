import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import { rounds } from '../../../../test/rounds.ts';
import { BENEFIT_KINDS } from '../../programs/rules/benefit-words.ts';
import { type RewardRow, targetOf } from '../reward.ts';
import { applyRefund } from './apply-refund.ts';
import { decideAnsweredGrant } from './decide-answered-grant.ts';
import { decideFulfillment } from './decide-fulfillment.ts';
import { decideVoid, voidReward } from './decide-void.ts';
import { endReview, holdForReview } from './review-reward.ts';
import { DELIVERY_METHODS, FULFILLMENT_STATUSES } from './states.ts';

const NOW = '2026-11-16T08:00:00.000Z';
const moment = { now: NOW, newId: (prefix: string) => `${prefix}_1` };
const record = { id: 'ful_0', externalReference: 'grant', occurredAt: NOW, actor: 'api' } as const;
const terms = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
const left = (refundedTotalMinor: bigint) => ({
  amountMinor: 1000n,
  refundedTotalMinor,
  disputedTotalMinor: 0n,
});
const refund = (row: RewardRow, refunded = 1000n) =>
  applyRefund(row, terms, left(refunded), moment).reward;
const held = (kind: RewardRow['benefitKind'], changes: Partial<RewardRow> = {}) =>
  holdForReview(aReward(kind, changes), NOW);

describe('opening', () => {
  test('holds a Reward in any status, which keeps it', () => {
    for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
      const row = aReward('credit', { fulfillmentStatus });
      const after = holdForReview(row, NOW);
      expect(after).toMatchObject({ isUnderReview: true, fulfillmentStatus, updatedAt: NOW });
      expect(holdForReview(after, '2026-11-17T08:00:00.000Z')).toBe(after);
    }
    expect(held('cash')).toMatchObject({
      deliveryStatus: 'on_hold',
      deliveryReason: 'risk_review',
    });
  });
});

describe('an approval', () => {
  test.each(DELIVERY_METHODS)('leaves a Reward by %s as if it was never held', (method) => {
    for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
      const row = aReward('credit', { method, fulfillmentStatus });
      const after = endReview(holdForReview(row, NOW), false, moment);
      expect({ ...after, updatedAt: row.updatedAt }).toEqual(row);
    }
  });

  test('records what a receiver granted meanwhile, in the name of its event', () => {
    const answered = decideAnsweredGrant(held('custom'), 'wev_1', moment);
    expect(endReview(answered, false, moment)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      fulfillment: { externalReference: 'wev_1', actor: 'webhook' },
      isUnderReview: false,
      answeredEventId: null,
      deliveryReason: null,
    });
  });
});

describe('a rejection', () => {
  test.each(['pending', 'failed', 'cancelled'] as const)('cancels what is %s', (status) => {
    for (const kind of BENEFIT_KINDS) {
      const after = endReview(held(kind, { fulfillmentStatus: status }), true, moment);
      expect(after).toMatchObject({
        fulfillmentStatus: 'cancelled',
        void: { reasonCode: 'fraud', reason: null },
        isUnderReview: false,
      });
      expect(targetOf(after)).toBe(0n);
    }
  });

  test('voids what is in progress, whose outcome decides', () => {
    const after = endReview(held('cash', { fulfillmentStatus: 'in_progress' }), true, moment);
    expect(after).toMatchObject({
      fulfillmentStatus: 'in_progress',
      void: { reasonCode: 'fraud' },
    });
  });

  test.each(['fulfilled', 'revocation_pending', 'revoked'] as const)(
    'leaves what is %s as it is',
    (fulfillmentStatus) => {
      const row = aReward('credit', { fulfillmentStatus, fulfillment: record });
      const after = endReview(holdForReview(row, NOW), true, moment);
      expect({ ...after, updatedAt: row.updatedAt }).toEqual(row);
    },
  );

  test.each([
    ['cash', 'fulfilled'],
    ['credit', 'revocation_pending'],
    ['discount', 'revocation_pending'],
    ['custom', 'revocation_pending'],
  ] as const)('what a receiver granted meanwhile, %s, is %s (D-RWD-8)', (kind, status) => {
    const answered = decideAnsweredGrant(held(kind), 'wev_1', moment);
    expect(endReview(answered, true, moment)).toMatchObject({
      fulfillmentStatus: status,
      fulfillment: { externalReference: 'wev_1' },
      void: { reasonCode: 'fraud' },
    });
  });

  test('is not undone by a restoration', () => {
    for (const kind of ['cash', 'credit', 'custom'] as const) {
      const rejected = endReview(refund(held(kind)), true, moment);
      expect(rejected.void?.reasonCode).toBe('fraud');
      expect(refund(rejected, 0n)).toMatchObject({ fulfillmentStatus: 'cancelled' });
    }
  });

  test('leaves milestones to their measure, which other referrals can carry', () => {
    const milestone = { measure: 'referrals', at: '5' } as never;
    const arithmetic = { ...aReward('cash').arithmetic, milestone };
    const mug = aReward('cash', { arithmetic, milestone: 'referrals' });
    expect(holdForReview(mug, NOW)).toBe(mug);
    const held = { ...mug, isUnderReview: true };
    for (const isRejected of [true, false]) expect(endReview(held, isRejected, moment)).toBe(held);
  });

  test('keeps the void of a caller', () => {
    const why = { reasonCode: 'duplicate', reason: null } as const;
    const voided = voidReward(held('credit'), why, NOW, moment.newId);
    expect(endReview(voided, true, moment).void?.reasonCode).toBe('duplicate');
  });
});

test('a decision is carried out once: a Reward that is not under review stays the same', () => {
  for (const isRejected of [false, true]) {
    const done = endReview(held('cash'), isRejected, moment);
    expect(endReview(done, !isRejected, moment)).toBe(done);
  }
});

/** What can happen to a Reward while its referral is under review, each at most once. */
const FACTS: Readonly<Record<string, (row: RewardRow) => RewardRow>> = {
  answer: (row) => decideAnsweredGrant(row, 'wev_1', moment),
  refund: (row) => refund(row),
  partly: (row) => refund(row, 400n),
  void: (row) => {
    const decision = decideVoid(row, { reasonCode: 'fraud', reason: null }, moment);
    return 'reward' in decision ? decision.reward : row;
  },
};

const cases = fc.record({
  kind: fc.constantFrom(...BENEFIT_KINDS),
  facts: fc
    .tuple(fc.constantFrom('refund', 'partly'), fc.boolean(), fc.boolean(), fc.boolean())
    .map(([refunded, ...chosen]) => ['answer', refunded, 'void'].filter((_, at) => chosen[at]))
    .chain((chosen) => fc.shuffledSubarray(chosen, { minLength: chosen.length })),
  at: fc.nat(3),
  isRejected: fc.boolean(),
});

const endOf = ({ fulfillmentStatus, netAmountMinor, fulfillment, void: voided }: RewardRow) => ({
  fulfillmentStatus,
  netAmountMinor,
  isGranted: fulfillment !== null,
  voided: voided?.reasonCode,
});

test('whenever the decision comes, the end is the same, and nobody is granted anything before it', () => {
  fc.assert(
    fc.property(cases, ({ kind, facts, at, isRejected }) => {
      const happen = (row: RewardRow, names: readonly string[]) =>
        names.reduce((before, name) => {
          const after = FACTS[name]?.(before) ?? before;
          if (after.isUnderReview) {
            expect(after.fulfillment).toBeNull();
            expect(decideFulfillment(after, record, moment)).toHaveProperty('refused');
          }
          return after;
        }, row);
      const decideAt = (place: number) => {
        const undecided = happen(held(kind), facts.slice(0, place));
        return happen(endReview(undecided, isRejected, moment), facts.slice(place));
      };
      expect(endOf(decideAt(at))).toEqual(endOf(decideAt(0)));
    }),
    { numRuns: rounds(500, 2_000) },
  );
});
