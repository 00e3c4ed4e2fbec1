import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBase32 } from '../../platform/kit/ids.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { toListCursor, toListPage } from './list-page.ts';

const positions = fc.record({
  createdAt: fc.integer({ min: 0, max: Date.parse('2100-01-01') }).map(toInstant),
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => `preq_${encodeBase32(bytes)}`),
});

test('a cursor leads back to the row it was made of', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(toListPage({ cursor: toListCursor(position) }).before).toEqual(position);
    }),
  );
});

test('what is no cursor is refused, never passed to the database', () => {
  const texts = fc.oneof(
    fc.string(),
    positions.map(({ id }) => `2026-13-45T99:99:99.999Z ${id}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const cursor = Buffer.from(text).toString('base64url');
      fc.pre(cursor !== '');
      expect(() => toListPage({ cursor })).toThrow(/cursor/);
    }),
  );
});
