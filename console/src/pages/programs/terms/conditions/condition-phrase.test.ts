import { describe, expect, test } from 'vitest';
import { formatMinor } from '../../../../ui/money.tsx';
import type { Condition } from './condition-form.ts';
import { conditionPhrase, currencyOf, unmetSentence } from './condition-phrase.ts';

describe('a condition is a phrase', () => {
  test.each<[Condition, string]>([
    [{ field: 'properties.plan', op: 'eq', value: 'annual' }, 'the plan is annual'],
    [{ field: 'properties.plan', op: 'ne', value: '12' }, 'the plan is not "12"'],
    [{ field: 'properties.plan', op: 'in', value: ['a', 'b', 3] }, 'the plan is a, b or 3'],
    [{ field: 'properties.plan', op: 'not_in', value: ['a', 'b'] }, 'the plan is not a or b'],
    [{ field: 'properties.seat_count', op: 'gte', value: 5 }, 'the seat count is at least 5'],
    [{ field: 'properties.seats', op: 'lte', value: 5 }, 'the seats is at most 5'],
    [{ field: 'purchase.currency', op: 'eq', value: 'USD' }, 'the purchase is in USD'],
    [
      { field: 'purchase.currency', op: 'in', value: ['USD', 'EUR'] },
      'the purchase is in USD or in EUR',
    ],
    [{ field: 'purchase.isFirst', op: 'eq', value: true }, 'it is their first purchase'],
    [{ field: 'purchase.isFirst', op: 'ne', value: true }, 'it is not their first purchase'],
    [{ field: 'purchase.isFirst', op: 'eq', value: false }, 'it is not their first purchase'],
    [{ field: 'purchase.isFirst', op: 'not_in', value: [false] }, 'it is their first purchase'],
    [
      { field: 'purchase.billingReason', op: 'eq', value: 'subscription_cycle' },
      'the purchase is the renewal of a subscription',
    ],
    [{ field: 'participant.kind', op: 'eq', value: 'group' }, 'the participant is a group'],
  ])('%o', (condition, phrase) => {
    expect(conditionPhrase(condition, null)).toBe(phrase);
  });

  test('an amount is money only where its currency is known', () => {
    const condition: Condition = { field: 'purchase.amountMinor', op: 'gte', value: '5000' };
    const fifty = formatMinor('5000', 'USD', 2);
    expect(conditionPhrase(condition, 'USD')).toBe(`the purchase is at least ${fifty}`);
    expect(conditionPhrase(condition, null)).toContain('5,000 of the smallest unit');
    expect(currencyOf([condition])).toBeNull();
    expect(currencyOf([condition, { field: 'purchase.currency', op: 'eq', value: 'USD' }])).toBe(
      'USD',
    );
    expect(
      currencyOf([{ field: 'purchase.currency', op: 'in', value: ['USD', 'EUR'] }]),
    ).toBeNull();
  });
});

describe('a condition that failed says what was found', () => {
  const plan = { field: 'properties.plan', op: 'eq', value: 'annual' } as const;

  test('another value', () => {
    expect(unmetSentence({ ...plan, found: 'monthly' }, null)).toBe(
      'The rule gives a reward only if the plan is annual. Here, the plan is monthly.',
    );
    const amount = { field: 'purchase.amountMinor', op: 'gte', value: '5000' } as const;
    expect(unmetSentence({ ...amount, found: '4900' }, 'USD')).toContain(
      `Here, the purchase is ${formatMinor('4900', 'USD', 2)}.`,
    );
    const first = { field: 'purchase.isFirst', op: 'eq', value: true } as const;
    expect(unmetSentence({ ...first, found: false }, null)).toContain(
      'Here, it is not their first purchase.',
    );
  });

  test('or nothing', () => {
    expect(unmetSentence({ ...plan, found: null }, null)).toContain(
      'This event has no property “plan”.',
    );
    const reason = { field: 'purchase.billingReason', op: 'eq', value: 'one_time' } as const;
    expect(unmetSentence({ ...reason, found: null }, null)).toContain(
      'This event has no billing reason.',
    );
  });
});
