import { describe, expect, it } from 'vitest';
import {
  DELIVERY_METHODS,
  DELIVERY_REASONS,
  deliveryOf,
  FULFILLMENT_STATUSES,
} from '../../../../server/src/domain/rewards/decide/states.ts';
import { explainReward, type RewardState } from './explain-reward.ts';

const A_VOID: RewardState['void'] = {
  id: 'void_1',
  reasonCode: 'fraud',
  reason: null,
  voidedAt: '2026-11-15T10:00:00.000Z',
};
const KINDS = ['cash', 'credit', 'discount', 'custom'] as const;

const reward = (changes: Partial<RewardState> = {}): RewardState => ({
  fulfillmentStatus: 'pending',
  benefitKind: 'cash',
  delivery: { method: 'operator', status: 'pending', reason: null, providerReference: null },
  void: null,
  availableAt: '2026-11-15T10:00:00.000Z',
  ...changes,
});
const withReason = (
  reason: RewardState['delivery']['reason'],
  changes: Partial<RewardState> = {},
) => reward({ delivery: { ...reward().delivery, reason }, ...changes });

describe('every state of a reward has a sentence', () => {
  const reasons = [null, ...DELIVERY_REASONS];
  for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
    it(`explains ${fulfillmentStatus} whatever the kind, method, reason and void`, () => {
      for (const benefitKind of KINDS)
        for (const method of DELIVERY_METHODS)
          for (const reason of reasons)
            for (const voided of [null, A_VOID]) {
              const { label, sentence, tone } = explainReward(
                reward({
                  fulfillmentStatus,
                  benefitKind,
                  delivery: { method, status: 'pending', reason, providerReference: null },
                  void: voided,
                }),
              );
              expect(label).toMatch(/^[A-Z][^_]+[^.]$/);
              expect(sentence).toMatch(/^[A-Z][^_]{15,}\.$/);
              expect(tone).toBeTruthy();
            }
    });
  }

  it('tells apart every reason that the service gives for waiting', () => {
    const given = DELIVERY_METHODS.flatMap((method) =>
      reasons.flatMap((deliveryReason) =>
        ['none', 'dispute', 'review'].flatMap((held) =>
          ['2026-11-14T00:00:00.000Z', '2026-11-16T00:00:00.000Z'].map((now) => {
            const { reason } = deliveryOf(
              {
                method,
                fulfillmentStatus: 'pending',
                availableAt: '2026-11-15T00:00:00.000Z' as never,
                deliveryReason,
                isDisputed: held === 'dispute',
                isUnderReview: held === 'review',
                void: null,
              },
              now as never,
            );
            return reason;
          }),
        ),
      ),
    );
    const sentences = new Map(
      [...new Set(given)].map((reason) => [explainReward(withReason(reason)).sentence, reason]),
    );
    expect(sentences.size).toBe(new Set(given).size);
    expect([...sentences.keys()].some((one) => one === 'It waits to be delivered.')).toBe(false);
  });
});

describe('what a state asks of whoever looks at it', () => {
  it('asks for care where a person has to grant', () => {
    expect(explainReward(withReason('awaiting_operator')).tone).toBe('care');
    expect(explainReward(withReason('awaiting_manual')).label).toBe('To be granted');
    expect(explainReward(withReason('awaiting_payout')).tone).toBe('waits');
  });

  it('tells a void from a refund among what is cancelled', () => {
    expect(explainReward(reward({ fulfillmentStatus: 'cancelled' })).label).toBe('Refunded');
    const voided = explainReward(reward({ fulfillmentStatus: 'cancelled', void: A_VOID }));
    expect(voided.label).toBe('Voided');
    const lost = { ...A_VOID, reasonCode: 'milestone_lost' as const };
    expect(
      explainReward(reward({ fulfillmentStatus: 'cancelled', void: lost })).sentence,
    ).toContain('fell below the milestone');
  });

  it('never promises to take cash back', () => {
    const { sentence } = explainReward(reward({ fulfillmentStatus: 'fulfilled', void: A_VOID }));
    expect(sentence).toContain('deducted from their next payout');
  });

  it('asks to take back by hand only what was granted by hand', () => {
    const takenBack = (method: RewardState['delivery']['method']) =>
      explainReward(
        reward({
          fulfillmentStatus: 'revocation_pending',
          delivery: { ...reward().delivery, method },
          void: A_VOID,
        }),
      ).sentence;
    expect(takenBack('manual')).toContain('record that here');
    expect(takenBack('stripe_coupon')).toContain('automatically');
  });

  it('tells a refusal from trouble', () => {
    const failed = (reason: 'provider_rejected' | 'provider_error') =>
      explainReward(withReason(reason, { fulfillmentStatus: 'failed' })).sentence;
    expect(failed('provider_rejected')).toContain('refused');
    expect(failed('provider_error')).toContain('ten attempts');
  });
});
