import { expect, it } from 'vitest';
import { sayCount, sumPurchases } from './purchase-words.ts';

it('purchases are summed over all referrals, with those that were refunded', () => {
  expect(sumPurchases([])).toBe('None');
  expect(sumPurchases([{ purchases: 2, refundedPurchases: 0 }])).toBe('2');
  const all = [
    { purchases: 2, refundedPurchases: 1 },
    { purchases: 3, refundedPurchases: 2 },
  ];
  expect(sumPurchases(all)).toBe('5, of which 3 refunded');
});

it('a number of people says where the list ends', () => {
  expect(sayCount(0)).toBe('Nobody');
  expect(sayCount(1)).toBe('1 person');
  expect(sayCount(50, 51)).toBe('50 people');
  expect(sayCount(51, 51)).toBe('51 people or more');
});
