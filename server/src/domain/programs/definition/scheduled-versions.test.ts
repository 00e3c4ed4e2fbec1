import fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionAt } from '../program-book.ts';
import { scheduledOf } from './scheduled-versions.ts';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;

test('a version is scheduled exactly if there is a later time at which it applies', () => {
  const days = fc.array(fc.integer({ min: 1, max: 28 }), { maxLength: 8 });
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 28 }), (effective, today) => {
      const versions = effective.map((day, index) => ({
        version: index + 1,
        effectiveAt: at(day),
      }));
      const applying = new Set<number>();
      for (let day = today + 1; day <= 28; day += 1) {
        const version = versionAt(versions, at(day));
        if (version && version.effectiveAt > at(today)) applying.add(version.version);
      }
      const scheduled = scheduledOf(versions, at(today)).map(({ version }) => version);
      expect(new Set(scheduled)).toEqual(applying);
    }),
  );
});
