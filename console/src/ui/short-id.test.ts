import { expect, test } from 'vitest';
import { shortId } from './short-id.ts';

test.each([
  ['pay_01ka3mzzzzzzzzzzzzzzx7q2m9', 'pay_…zzx7q2m9'],
  ['pay_short', 'pay_short'],
  // What was exported is named by its list.
  ['payout-batches', 'payout-batches'],
])('%s is shown as %s', (id, shown) => {
  expect(shortId(id)).toBe(shown);
});
