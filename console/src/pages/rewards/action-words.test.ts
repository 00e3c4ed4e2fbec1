import { expect, it } from 'vitest';
import { formatMinor } from '../../ui/money.tsx';
import { ACTION_WORDS } from './action-words.ts';
import type { Reward } from './explain-reward.ts';

const reward = (changes: Partial<Reward> = {}) =>
  ({
    fulfillmentStatus: 'pending',
    benefitKind: 'credit',
    delivery: { method: 'operator', status: 'pending', reason: null, providerReference: null },
    void: null,
    money: { amountMinor: '500', netAmountMinor: '500', currency: 'EUR', currencyExponent: 2 },
    ...changes,
  }) as Reward;

it('says in numbers what will happen', () => {
  for (const words of Object.values(ACTION_WORDS)) {
    expect(words.effects([reward(), reward()])[0]).toBe(
      `2 rewards: ${formatMinor('1000', 'EUR', 2)} in all.`,
    );
  }
});

it('tells how many of the voided ones were granted already', () => {
  const effects = ACTION_WORDS.void.effects([
    reward(),
    reward(),
    reward({ fulfillmentStatus: 'fulfilled' }),
  ]);
  expect(effects.some((one) => one.startsWith('2 of them: It was not granted yet'))).toBe(true);
  expect(effects.some((one) => one.startsWith('1 of them: It was granted'))).toBe(true);
});

it('warns of granting what a dispute holds', () => {
  const held = reward({ delivery: { ...reward().delivery, status: 'on_hold' } });
  expect(ACTION_WORDS.grant.effects([held]).join(' ')).toContain('dispute');
  expect(ACTION_WORDS.grant.effects([reward()]).join(' ')).not.toContain('dispute');
});
