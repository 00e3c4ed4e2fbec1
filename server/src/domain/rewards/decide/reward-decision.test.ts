import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import { checkState } from '../../../programs/verify/checks/check-rewards.ts';
import type { AuditedReward } from '../../../programs/verify/stores/fact-store.ts';
import { BENEFIT_KINDS } from '../../programs/rules/benefit-words.ts';
import { decideRetry } from '../delivery/decide-retry.ts';
import { CALLER_VOID_CODES, type RewardRow, withDelivery } from '../reward.ts';
import { decideFulfillment } from './decide-fulfillment.ts';
import { decideRevocation } from './decide-revocation.ts';
import { decideVoid } from './decide-void.ts';
import type { Moment, RewardDecision } from './reward-decision.ts';
import { DELIVERY_METHODS, REWARD_TRIGGERS, transition } from './states.ts';

type Call = (row: RewardRow, moment: Moment) => RewardDecision;

const references = fc.constantFrom('one', 'other');
const actors = fc.constantFrom('api' as const, 'console' as const, 'webhook' as const);
const records = fc.record({ externalReference: references, actor: actors });
const calls: fc.Arbitrary<Call> = fc.oneof(
  records.map(
    (facts): Call =>
      (row, moment) =>
        decideFulfillment(row, facts, moment),
  ),
  records.map(
    (facts): Call =>
      (row, moment) =>
        decideRevocation(row, facts, moment),
  ),
  fc.constantFrom(...CALLER_VOID_CODES).map(
    (reasonCode): Call =>
      (row, moment) =>
        decideVoid(row, { reasonCode, reason: null }, moment),
  ),
  fc.boolean().map(
    (isErased): Call =>
      (row, { now }) =>
        decideRetry(row, isErased, now),
  ),
);
const rewards = fc
  .record({
    kind: fc.constantFrom(...BENEFIT_KINDS),
    method: fc.constantFrom(...DELIVERY_METHODS),
    start: fc.constantFrom('pending', 'in_progress', 'failed', 'cancelled'),
  })
  .map(({ kind, method, start }) => {
    // A refund cancels money; other kinds are cancelled only by a void.
    const isMoney = kind === 'cash' || kind === 'credit';
    const fulfillmentStatus = start === 'cancelled' && !isMoney ? 'pending' : start;
    const isGone = fulfillmentStatus === 'cancelled';
    return aReward(kind, { method, fulfillmentStatus, ...(isGone ? { netAmountMinor: 0n } : {}) });
  });
const histories = fc.tuple(rewards, fc.array(calls, { maxLength: 30 }));

/** Every row of a history, each with its time. */
function follow([start, steps]: [RewardRow, Call[]]): RewardRow[] {
  const path = [start];
  for (const [index, step] of steps.entries()) {
    const row = path.at(-1) ?? start;
    const now = new Date(Date.parse(start.earnedAt) + (index + 1) * 1_000).toISOString();
    const decision = step(row, { now, newId: (prefix) => `${prefix}_${index}` });
    path.push('reward' in decision ? decision.reward : row);
  }
  return path;
}
const pairs = (path: readonly RewardRow[]) =>
  path.slice(1).map((after, index) => [path[index] as RewardRow, after] as const);

test('whatever is called in whatever order, a Reward moves only as the table has it (D-RWD-3)', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const [before, after] of pairs(follow(history))) {
        const from = before.fulfillmentStatus;
        const reached = REWARD_TRIGGERS.map((trigger) => transition(from, trigger));
        expect([from, ...reached]).toContain(after.fulfillmentStatus);
      }
    }),
  );
});

test('what was revoked moves no more, and no record or void is ever replaced', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const [before, after] of pairs(follow(history))) {
        if (before.fulfillmentStatus === 'revoked') expect(after).toBe(before);
        for (const fact of ['fulfillment', 'revocation', 'void'] as const) {
          if (before[fact] !== null) expect(after[fact]).toBe(before[fact]);
        }
      }
    }),
  );
});

test('cash is never to be taken back', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const row of follow(history)) {
        if (row.benefitKind !== 'cash') continue;
        expect(['revocation_pending', 'revoked']).not.toContain(row.fulfillmentStatus);
        expect(row.revocation).toBeNull();
      }
    }),
  );
});

test('a call that changed something changes nothing when it comes again', () => {
  fc.assert(
    fc.property(histories, calls, (history, call) => {
      const row = follow(history).at(-1) as RewardRow;
      const moment = { now: row.updatedAt, newId: (prefix: string) => `${prefix}_last` };
      const once = call(row, moment);
      if ('refused' in once) return;
      const twice = call(once.reward, moment);
      expect('reward' in twice && twice.reward).toBe(once.reward);
    }),
  );
});

test('what a call leaves is what an auditor takes for sound, and its delivery is up to date', () => {
  fc.assert(
    fc.property(histories, (history) => {
      for (const row of follow(history)) {
        expect(checkState(row as unknown as AuditedReward)).toEqual([]);
        expect(withDelivery(row, row.updatedAt)).toEqual(row);
      }
    }),
  );
});
