import { expect, test } from 'vitest';
import { MemoryTracking } from '../../test/memory-tracking.ts';
import { aProgram } from '../../test/program-book.ts';
import { signupIdOf } from './signup-id.ts';

const NOW = '2026-11-15T09:30:00.000Z';

test('an adjustment of what cannot be a purchase is refused, not kept (D-ADJ-1)', () => {
  const shop = new MemoryTracking(NOW, [aProgram()], []);
  shop.meet('bob');
  const ids = ['met bob', signupIdOf(`par_${'0'.repeat(26)}`)];
  for (const id of ids) {
    expect(() => shop.refund(`refund of ${id}`, id, '100')).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', reason: 'purchase_without_amount' }),
    );
  }
  expect(shop.refund('refund', 'an order to come', '100').purchaseId).toBeNull();
  expect(shop.slice.early.size).toBe(1);
});
