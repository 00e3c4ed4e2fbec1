import { expect, it } from 'vitest';
import { rejectedShare } from './rejected-share.ts';

it('is the share of the decided reviews, and nothing without a decision', () => {
  expect(rejectedShare({ approved: 1, rejected: 2 })).toBe(67);
  expect(rejectedShare({ approved: 3, rejected: 0 })).toBe(0);
  expect(rejectedShare({ approved: 0, rejected: 0 })).toBeNull();
});
