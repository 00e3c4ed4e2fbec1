import { expect, it } from 'vitest';
import { effectsOf, sumText } from './decision-words.ts';

const euros = (amountMinor: string) => ({
  currency: 'EUR',
  currencyExponent: 2,
  amountMinor,
});
const held = (heldRewards: number, ...amounts: ReturnType<typeof euros>[]) => ({
  heldRewards,
  heldAmounts: amounts,
});

it('an approval says what is released, and what it is worth in each currency', () => {
  const dollars = { currency: 'USD', currencyExponent: 2, amountMinor: '400' };
  expect(effectsOf('approve', [held(3, euros('3000'))])[0]).toBe(
    '3 rewards worth €30.00 are released and delivered as usual.',
  );
  expect(effectsOf('approve', [held(1)])[0]).toBe('1 reward is released and delivered as usual.');
  expect(sumText([held(1, euros('1')), held(2, euros('2'), dollars)])).toBe('€0.03 and $4.00');
});

it('a rejection says what is voided, and that the referral earns nothing more', () => {
  const effects = effectsOf('reject', [held(1, euros('1000')), held(1, euros('500'))]);
  expect(effects[0]).toBe('2 rewards worth €15.00 are voided for fraud.');
  expect(effects.join(' ')).toContain('The referrals earn nothing from now on.');
  expect(effectsOf('reject', [held(0)])[0]).toBe('No reward waits for it.');
});

it('every decision says that it cannot be undone', () => {
  for (const decision of ['approve', 'reject'] as const)
    expect(effectsOf(decision, [held(1)])).toContain('This cannot be undone.');
});
