import { expect, it } from 'vitest';
import { readRowKey, stepTo, takeOver } from './row-keys.ts';

const press = (key: string, more = {}) =>
  readRowKey(
    {
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      isInRows: false,
      isTyping: false,
      ...more,
    },
    ['a', 'r'],
  );

it('letters move, select and act wherever the focus is', () => {
  expect(['j', 'k', 'x', 'a', 'r', 'b', 'Enter'].map((key) => press(key))).toEqual([
    'next',
    'previous',
    'select',
    'a',
    'r',
    null,
    null,
  ]);
});

it('arrows move within the rows, and scroll the page elsewhere', () => {
  expect(press('ArrowDown', { isInRows: true })).toBe('next');
  expect(press('ArrowUp', { isInRows: true })).toBe('previous');
  expect(press('ArrowDown')).toBeNull();
});

it('takes no key from a field, a menu, a dialog or the browser', () => {
  for (const more of [{ isTyping: true }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])
    for (const key of ['j', 'a', 'x']) expect(press(key, more)).toBeNull();
});

it('begins with the first row, and stays at the ends', () => {
  expect(stepTo(3, null, 1)).toBe(0);
  expect(stepTo(3, null, -1)).toBe(0);
  expect(stepTo(3, 1, 1)).toBe(2);
  expect(stepTo(3, 2, 1)).toBe(2);
  expect(stepTo(3, 1, -1)).toBe(0);
  expect(stepTo(3, 0, -1)).toBe(0);
  expect(stepTo(0, null, 1)).toBeNull();
});

it('the next row takes the place of one that left, and the last one that of the last', () => {
  expect(takeOver(3, 1)).toBe(1);
  expect(takeOver(1, 1)).toBe(0);
  expect(takeOver(0, 0)).toBeNull();
});
