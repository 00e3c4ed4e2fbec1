import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

test('one is sent on to a page of the console, and nowhere else', () => {
  expect(ownPath('/p/prj_1/rewards?q=a')).toBe('/p/prj_1/rewards?q=a');
  for (const foreign of [
    undefined,
    '',
    'rewards',
    '//evil.example',
    '/\\evil.example',
    'https://x',
  ])
    expect(ownPath(foreign)).toBeNull();
});
