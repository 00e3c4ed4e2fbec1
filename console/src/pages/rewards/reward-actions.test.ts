import { describe, expect, it } from 'vitest';
import {
  FULFILLMENT_STATUSES,
  transition,
} from '../../../../server/src/domain/rewards/decide/states.ts';
import {
  type Actionable,
  actionsFor,
  allows,
  VOID_REASONS,
  voidOutcome,
} from './reward-actions.ts';

const reward = (changes: Partial<Actionable> = {}): Actionable => ({
  fulfillmentStatus: 'pending',
  benefitKind: 'credit',
  delivery: { method: 'operator', status: 'pending', reason: null, providerReference: null },
  void: null,
  money: { amountMinor: '500', netAmountMinor: '500', currency: 'EUR', currencyExponent: 2 },
  ...changes,
});
const by = (method: Actionable['delivery']['method']) => ({ ...reward().delivery, method });
const VOID: Actionable['void'] = { id: 'void_1', reasonCode: 'error', reason: null, voidedAt: '' };

describe('an action is offered only where the service would take it', () => {
  it.each(FULFILLMENT_STATUSES)('grants, retries and revokes as its states allow: %s', (status) => {
    const one = reward({ fulfillmentStatus: status });
    expect(allows(one, 'grant')).toBe(transition(status, 'record_grant') !== undefined);
    expect(allows(one, 'retry')).toBe(transition(status, 'retry') !== undefined);
    expect(allows(one, 'revoke')).toBe(transition(status, 'record_revocation') !== undefined);
  });

  it('grants and revokes only what the product or a person grants', () => {
    for (const method of ['payout', 'stripe_balance', 'stripe_coupon'] as const) {
      expect(allows(reward({ delivery: by(method) }), 'grant')).toBe(false);
      expect(
        allows(reward({ delivery: by(method), fulfillmentStatus: 'revocation_pending' }), 'revoke'),
      ).toBe(false);
    }
    expect(allows(reward({ delivery: by('manual') }), 'grant')).toBe(true);
  });

  it('never revokes cash', () => {
    const cash = reward({ benefitKind: 'cash', fulfillmentStatus: 'revocation_pending' });
    expect(allows(cash, 'revoke')).toBe(false);
  });

  it('voids once, and tries nothing again that is not owed', () => {
    expect(actionsFor(reward({ void: VOID, fulfillmentStatus: 'cancelled' }))).toEqual([]);
    expect(allows(reward({ fulfillmentStatus: 'failed', void: VOID }), 'retry')).toBe(false);
    const refunded = {
      amountMinor: '5',
      netAmountMinor: '0',
      currency: 'EUR',
      currencyExponent: 2,
    };
    expect(allows(reward({ fulfillmentStatus: 'failed', money: refunded }), 'retry')).toBe(false);
  });

  it('voids what a refund voided, so that it stays void if the refund is undone', () => {
    const refund = { ...VOID, reasonCode: 'refund' } as const;
    const one = reward({ void: refund, fulfillmentStatus: 'revocation_pending' });
    expect(actionsFor(one)).toEqual(['revoke', 'void']);
    expect(voidOutcome(one)).toContain('even if the refund is undone');
    const said = { ...refund, reason: 'Agreed on the phone.' };
    expect(allows(reward({ void: said, fulfillmentStatus: 'cancelled' }), 'void')).toBe(false);
  });

  it('says what a void will do, for every state', () => {
    for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
      expect(voidOutcome(reward({ fulfillmentStatus }))).toMatch(/^[A-Z].+\.$/);
    }
    expect(voidOutcome(reward({ fulfillmentStatus: 'fulfilled', benefitKind: 'cash' }))).toContain(
      'next payout',
    );
  });

  it('does not offer the reason that only an erasure gives', () => {
    expect(VOID_REASONS.map(({ value }) => String(value))).not.toContain('participant_deleted');
  });
});
