import { expect, test } from 'vitest';
import { toPaypalAmount } from './amount.ts';

test.each([
  [1n, 'USD', 2, { value: '0.01' }],
  [123_456n, 'EUR', 2, { value: '1234.56' }],
  [5_000n, 'JPY', 0, { value: '5000' }],
  [500_000n, 'HUF', 2, { value: '5000' }],
  [500_050n, 'HUF', 2, { fault: 'PayPal pays HUF in whole units only.' }],
  [100n, 'TWD', 2, { value: '1' }],
  [101n, 'TWD', 2, { fault: 'PayPal pays TWD in whole units only.' }],
  [1_000n, 'KWD', 3, { fault: 'PayPal does not pay out in KWD.' }],
] as const)('%s %s of exponent %s is %o', (amountMinor, currency, exponent, expected) => {
  expect(toPaypalAmount(amountMinor, currency, exponent)).toEqual(expected);
});
