import { expect, it } from 'vitest';
import { formatMinor } from '../../ui/money.tsx';
import { eventTitle, readProperties, readPurchase, typeName } from './event-words.ts';

const purchase = { amountMinor: '2730', currency: 'EUR', currencyExponent: 2, orderId: 'NW-1' };

it('names an event by what happened', () => {
  expect(eventTitle({ type: 'signup', normalizedFacts: { purchase: null } })).toBe('Signup');
  expect(typeName('custom_review_written')).toBe('Review written');
  expect(eventTitle({ type: 'purchase', normalizedFacts: { purchase } })).toBe(
    `Purchase of ${formatMinor('2730', 'EUR', 2)}`,
  );
  expect(eventTitle({ type: 'purchase', normalizedFacts: { purchase: null } })).toBe('Purchase');
});

it('reads a purchase only where there is one', () => {
  expect(readPurchase({ purchase })).toMatchObject({ orderId: 'NW-1', invoiceId: null });
  expect(readPurchase({ purchase: null })).toBeNull();
  expect(readPurchase({})).toBeNull();
  expect(readPurchase({ purchase: { amountMinor: 5 } })).toBeNull();
});

it('shows properties as texts', () => {
  expect(readProperties({ properties: { stars: 5, isFirst: true } })).toEqual([
    ['stars', '5'],
    ['isFirst', 'true'],
  ]);
  expect(readProperties({})).toEqual([]);
});
