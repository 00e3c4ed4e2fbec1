import { expect, test } from 'vitest';
import type { PayoutStatus } from '../states.ts';
import { judgeTransfer } from './judge-transfer.ts';

const ordered = (
  status: PayoutStatus,
  more: Partial<{ isSent: boolean; attempt: number; providerReference: string | null }> = {},
) => ({
  payout: { status, isSent: true, attempt: 1, providerReference: 'tr_1', ...more },
  attempt: 1,
});

test.each([
  ['of an unknown payout, which the payee has', 'paid', null, 'adopted'],
  ['of an unknown payout, which is under way', 'processing', null, 'adopted'],
  ['of an unknown payout, which came back', 'returned', null, 'ignored'],
  ['of an unknown payout, which never left', 'failed', null, 'ignored'],
  ['of a payout that is a draft here', 'paid', ordered('draft'), 'adopted'],
  ['of a payout that is only approved here', 'paid', ordered('approved'), 'adopted'],
  ['of a payout that was cancelled here', 'paid', ordered('cancelled'), 'adopted'],
  ['of a payout that failed here', 'processing', ordered('failed'), 'adopted'],
  ['of a payout that failed here and there', 'failed', ordered('failed'), 'ignored'],
  ['that the books wait for', 'paid', ordered('processing'), 'known'],
  ['that the books have not sent', 'paid', ordered('processing', { isSent: false }), 'advanced'],
  [
    'that the books do not know the reference of',
    'processing',
    ordered('processing', { providerReference: null }),
    'advanced',
  ],
  [
    'that came back before the books sent it',
    'returned',
    ordered('processing', { isSent: false }),
    'advanced',
  ],
  ['of an earlier attempt', 'failed', ordered('processing', { attempt: 2 }), 'known'],
  [
    'of a later attempt',
    'paid',
    { ...ordered('processing', { isSent: true }), attempt: 2 },
    'advanced',
  ],
  ['that is paid here, too', 'paid', ordered('paid'), 'known'],
  ['that came back since, as the daily lookup will show', 'returned', ordered('paid'), 'known'],
  ['that is returned here', 'paid', ordered('returned'), 'known'],
] as const)('a transfer %s', (_, state, by, expected) => {
  expect(judgeTransfer({ state }, by)).toBe(expected);
});
