import { expect, test } from 'vitest';
import type { CheckStatus } from './checks/check.ts';
import { judgeRelease } from './decide-release.ts';

const check = (status: CheckStatus, overrideReason: string | null = null) => ({
  method: 'paypal',
  environment: 'live',
  status,
  overrideReason,
});

test.each([
  ['nothing that could pay', [], 0, null],
  ['all accounts asked', [check('asked'), check('asked')], 0, null],
  ['an account still being asked', [check('asked'), check('asking')], 0, 'checks_open'],
  ['an account that did not answer', [check('failed')], 0, 'checks_open'],
  ['an account without a list', [check('cannot_list')], 0, 'checks_open'],
  ['an account that somebody answers for', [check('cannot_list', 'compared')], 0, null],
  ['a transfer to somebody unknown', [check('asked')], 1, 'advances_unassigned'],
] as const)('%s', (_, checks, unassigned, reason) => {
  expect(judgeRelease({ checks, unassigned }, false)?.reason ?? null).toBe(reason);
});

test('transfers to somebody unknown can be accepted, unasked accounts cannot', () => {
  expect(judgeRelease({ checks: [check('asked')], unassigned: 1 }, true)).toBeNull();
  const refusal = judgeRelease({ checks: [check('asking')], unassigned: 1 }, true);
  expect(refusal?.reason).toBe('checks_open');
});
