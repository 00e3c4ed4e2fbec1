import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReward, EARNED_AT } from '../../../../test/reward-row.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { type DeliveryRow, prepareDelivery, settleDelivery } from '../delivery/decide-delivery.ts';
import type { GivenCredit } from '../delivery/provider.ts';
import type { RewardRow } from '../reward.ts';
import { creditKey, decideAdoption, useAdvances } from './decide-adoption.ts';

const moment = { now: EARNED_AT, realNow: EARNED_AT, newId: (prefix: string) => `${prefix}_new` };
const ACCOUNT = 'cus_ada';

const aCredit = (id: string, amountMinor = 500n, more: Partial<RewardRow> = {}): RewardRow => {
  const amounts = { amountMinor, netAmountMinor: amountMinor };
  return aReward('credit', { id, method: 'stripe_balance', ...amounts, ...more });
};
const aDelivery = (rewardId: string, more: Partial<DeliveryRow> = {}): DeliveryRow => ({
  rewardId,
  participantId: 'par',
  method: 'stripe_balance',
  account: null,
  attempt: 1,
  tries: 0,
  dueAt: EARNED_AT,
  waitsForAccount: false,
  leaseId: null,
  leasedUntil: null,
  intent: null,
  isAnswered: false,
  ...more,
});
const given = (rewardId: string, amountMinor = 500n, attempt = 1): GivenCredit => ({
  reference: `cbtxn_${rewardId}_${attempt}`,
  rewardId,
  attempt,
  currency: 'USD',
  amountMinor,
  madeAt: EARNED_AT,
});
const books = (rewards: readonly RewardRow[], deliveries: readonly DeliveryRow[]) => ({
  account: ACCOUNT,
  since: EARNED_AT,
  rewards: new Map(rewards.map((row) => [row.id, row])),
  deliveries: new Map(deliveries.map((row) => [row.rewardId, row])),
  known: new Set<string>(),
});

const LATER = addMs(EARNED_AT, 1);
const aVoid = {
  id: 'void_1',
  reasonCode: 'fraud',
  reason: null,
  voidedAt: EARNED_AT,
} as const;

/** A reward whose grant is under way here by its first attempt. */
const ordered = () =>
  books(
    [aCredit('rwd_1', 500n, { fulfillmentStatus: 'in_progress' })],
    [
      aDelivery('rwd_1', {
        intent: { step: 'grant', amountMinor: 500n, account: ACCOUNT, intendedAt: EARNED_AT },
      }),
    ],
  );

/** A reward of 500 that was voided after it was given. */
const voided = () =>
  books(
    [
      aCredit('rwd_1', 500n, {
        fulfillmentStatus: 'revocation_pending',
        paidMinor: 500n,
        void: aVoid,
      }),
    ],
    [aDelivery('rwd_1', { attempt: 2 })],
  );

describe('adopting what an account has', () => {
  test('a credit of a reward that is unpaid here pays it, under the attempt that Stripe knows', () => {
    const { settled, advances } = decideAdoption(
      [given('rwd_1', 500n, 2)],
      books([aCredit('rwd_1')], [aDelivery('rwd_1')]),
      moment,
    );
    expect(advances).toEqual([]);
    expect(settled).toMatchObject([
      {
        reward: { fulfillmentStatus: 'fulfilled', paidMinor: 500n },
        delivery: { attempt: 3, account: ACCOUNT, dueAt: null },
        line: { attempt: 2, amountMinor: 500n, advance: null },
        news: 'reward.fulfilled',
      },
    ]);
  });

  test('a grant and its correction are adopted in their order', () => {
    const { settled } = decideAdoption(
      [given('rwd_1', -200n, 2), given('rwd_1', 500n, 1)],
      books([aCredit('rwd_1', 300n)], [aDelivery('rwd_1')]),
      moment,
    );
    expect(settled.at(-1)).toMatchObject({ reward: { paidMinor: 300n }, delivery: { attempt: 3 } });
  });

  test.each([
    ['the order that is under way here', 1],
    ['an order after the one that is under way here, which was given up', 2],
  ])('%s settles it', (_, attempt) => {
    const { settled, advances } = decideAdoption(
      [given('rwd_1', 500n, attempt)],
      ordered(),
      moment,
    );
    expect(advances).toEqual([]);
    expect(settled).toMatchObject([
      {
        reward: { fulfillmentStatus: 'fulfilled', paidMinor: 500n },
        delivery: { attempt: attempt + 1, intent: null },
        line: { attempt, amountMinor: 500n, step: 'grant' },
      },
    ]);
  });

  test('a credit says nothing about an order from before the list', () => {
    const stored = { ...ordered(), since: LATER };
    const { settled, advances } = decideAdoption([given('rwd_1', 500n, 2)], stored, moment);
    expect([settled, advances.length]).toEqual([[], 1]);
  });

  test('what was taken back of a voided reward is not taken back again', () => {
    const { settled, advances } = decideAdoption([given('rwd_1', -500n, 2)], voided(), moment);
    expect(advances).toEqual([]);
    expect(settled).toMatchObject([
      {
        reward: { fulfillmentStatus: 'revoked', paidMinor: 0n },
        delivery: { attempt: 3, dueAt: null },
        line: { step: 'take_back', amountMinor: -500n },
        news: 'reward.revoked',
      },
    ]);
  });

  test('of a voided reward that was corrected before, only the rest is to be taken back', () => {
    const { settled } = decideAdoption([given('rwd_1', -200n, 2)], voided(), moment);
    expect(settled).toMatchObject([
      {
        reward: { fulfillmentStatus: 'revocation_pending', paidMinor: 300n },
        delivery: { attempt: 3, dueAt: EARNED_AT },
        line: { step: 'correct' },
        news: null,
      },
    ]);
  });

  test.each([
    ['a credit of a reward that is not here', books([], []), 1],
    [
      'a credit of a reward that was cancelled here',
      books([aCredit('rwd_1', 500n, { fulfillmentStatus: 'cancelled' })], [aDelivery('rwd_1')]),
      1,
    ],
    ['a line that is here', { ...books([], []), known: new Set([creditKey(given('rwd_1'))]) }, 0],
  ])('%s pays nothing', (_, stored, expected) => {
    const { settled, advances } = decideAdoption([given('rwd_1')], stored, moment);
    expect([settled, advances.length]).toEqual([[], expected]);
  });
});

/** Delivers a reward to the end; returns what was ordered at the provider. */
function deliver(reward: RewardRow, left: Map<string, bigint>): { paid: bigint; ordered: bigint } {
  let row = reward;
  let delivery = aDelivery(reward.id);
  let ordered = 0n;
  for (let round = 0; round < 5 && delivery.dueAt !== null; round += 1) {
    const context = { account: ACCOUNT, busyUntil: null, carriable: (amount: bigint) => amount };
    const prepared = prepareDelivery(row, delivery, context, moment);
    const advances = [...left].map(([reference, leftMinor]) => {
      return { reference, account: ACCOUNT, currency: 'USD', leftMinor };
    });
    const netted = useAdvances(prepared, advances, moment);
    if (netted) {
      for (const [reference, rest] of netted.left) left.set(reference, rest);
      [row, delivery] = [netted.reward, netted.delivery];
      continue;
    }
    if (!prepared.delivery.intent) break;
    ordered += prepared.delivery.intent.amountMinor;
    const answer = { state: 'delivered', reference: 'cbtxn' } as const;
    const settled = settleDelivery(prepared.reward, prepared.delivery, answer, moment);
    [row, delivery] = [settled.reward, settled.delivery];
  }
  return { paid: row.paidMinor, ordered };
}

describe('using advances', () => {
  test('a reward that an advance covers in part is credited with the rest', () => {
    const left = new Map([['cbtxn_lost', 300n]]);
    expect(deliver(aCredit('rwd_new'), left)).toEqual({ paid: 500n, ordered: 200n });
    expect(left.get('cbtxn_lost')).toBe(0n);
  });

  test('what was taken back counts against the other advances', () => {
    const left = new Map([
      ['cbtxn_given', 500n],
      ['cbtxn_taken', -500n],
    ]);
    expect(deliver(aCredit('rwd_new'), left)).toEqual({ paid: 500n, ordered: 500n });
  });

  test('whatever was credited after the backup, and whichever facts come again: nobody gets more than they earned', () => {
    const amount = fc.bigInt({ min: 1n, max: 1_000n });
    const earned = fc.array(
      fc.record({
        amount,
        /** Whether it was credited in the time that was lost. */
        isCredited: fc.boolean(),
        /** Whether the backup has it, or its fact comes again under another id, or never. */
        fate: fc.constantFrom('kept', 'again', 'lost'),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(earned, fc.boolean(), (rewards, isReversed) => {
        const all = rewards.map((one, index) => ({ ...one, id: `rwd_${index}` }));
        const credits = all
          .filter(({ isCredited }) => isCredited)
          .map(({ id, amount: sum }) => given(id, sum));
        const kept = all.filter(({ fate }) => fate === 'kept');
        const stored = books(
          kept.map(({ id, amount: sum }) => aCredit(id, sum)),
          kept.map(({ id }) => aDelivery(id)),
        );
        const { settled, advances } = decideAdoption(credits, stored, moment);
        const left = new Map(advances.map((one) => [one.reference, one.amountMinor]));
        const paidHere = new Set(settled.map(({ reward }) => reward.id));
        const open = [
          ...kept.filter(({ id }) => !paidHere.has(id)).map((one) => aCredit(one.id, one.amount)),
          ...all
            .filter(({ fate }) => fate === 'again')
            .map((one) => aCredit(`${one.id}_again`, one.amount)),
        ];
        const delivered = (isReversed ? open.toReversed() : open).map((row) => deliver(row, left));
        const sum = (amounts: readonly bigint[]) => amounts.reduce((a, b) => a + b, 0n);
        const atProvider =
          sum(credits.map(({ amountMinor }) => amountMinor)) +
          sum(delivered.map(({ ordered }) => ordered));
        const owed = sum(all.map((one) => one.amount));
        const owedHere = sum(all.filter(({ fate }) => fate !== 'lost').map((one) => one.amount));
        expect(atProvider).toBeLessThanOrEqual(owed);
        // And what is known here is paid in full.
        expect(atProvider).toBeGreaterThanOrEqual(owedHere);
        expect(sum([...left.values()])).toBe(atProvider - owedHere);
      }),
    );
  });
});
