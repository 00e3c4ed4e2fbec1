import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pace, shareBeside } from './pace.ts';

test('work in the background has all of a quiet loop, and a small part of a busy one', () => {
  expect([0, 0.05].map(shareBeside)).toEqual([1, 1]);
  const others = fc.double({ min: 0.1, max: 1, noNaN: true });
  fc.assert(
    fc.property(others, others, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      expect(shareBeside(less)).toBeGreaterThanOrEqual(shareBeside(more));
      expect(shareBeside(a)).toBeGreaterThan(0);
      expect(shareBeside(a)).toBeLessThan(0.25);
    }),
  );
});

test.each([true, false])('what is read is returned, and a failure thrown', async (readsBlock) => {
  const pace = new Pace({ readsBlock });
  expect(await pace.during(Promise.resolve(3))).toBe(3);
  await expect(pace.during(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  await pace.turn();
});
