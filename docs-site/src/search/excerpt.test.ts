import { expect, test } from 'vitest';
import { cutExcerpt, splitAtMarks } from './excerpt.ts';

const TEXT = `${'one two three four '.repeat(10)}needle ${'five six seven eight '.repeat(10)}`;

test('an excerpt begins at a word shortly before the first mark', () => {
  expect(cutExcerpt(TEXT, ['needle'])).toMatch(/^… (?:\w+ ){4,8}needle five .* …$/);
  expect(cutExcerpt(TEXT, ['absent'])).toMatch(/^one two .* …$/);
  expect(cutExcerpt('short needle', ['needle'])).toBe('short needle');
});

test('marks keep the letters of the text, and the longest counts', () => {
  const marked = splitAtMarks('Rotated (rotate)', ['rotat', 'rotate', '(']).filter(
    ({ isMarked }) => isMarked,
  );
  expect(marked.map(({ text }) => text)).toEqual(['Rotate', '(', 'rotate']);
});

test('the pieces are the text, with marks or without', () => {
  for (const marks of [['needle', 'e'], ['absent']]) {
    const pieces = splitAtMarks(TEXT, marks);
    expect(pieces.map(({ text }) => text).join('')).toBe(TEXT);
  }
});
