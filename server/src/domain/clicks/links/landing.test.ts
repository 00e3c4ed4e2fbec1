import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUrl } from '../../../../test/any-text.ts';
import { toReferralAddress } from './landing.ts';

test.each([
  ['https://example.com', 'https://example.com/?ref=ada&service_click=clk_1'],
  ['https://example.com/a/b', 'https://example.com/a/b?ref=ada&service_click=clk_1'],
  ['https://example.com/?', 'https://example.com/?ref=ada&service_click=clk_1'],
  [
    'https://example.com/x?a=1&flag&b=%20c+d#top',
    'https://example.com/x?a=1&flag&b=%20c+d&ref=ada&service_click=clk_1#top',
  ],
  [
    'https://example.com/?ref=old&x=1&service_click=clk_0&refer=kept',
    'https://example.com/?x=1&refer=kept&ref=ada&service_click=clk_1',
  ],
  [
    'http://localhost:3000/#/route?x',
    'http://localhost:3000/?ref=ada&service_click=clk_1#/route?x',
  ],
])('%s becomes %s', (landing, expected) => {
  expect(toReferralAddress(landing, 'ada', 'clk_1')).toBe(expected);
});

test('origin, path, fragment and every parameter of the page’s own stay (D-CLICK-1)', () => {
  fc.assert(
    fc.property(anyUrl(), (landing) => {
      const before = new URL(landing);
      const after = new URL(toReferralAddress(landing, 'ada', 'clk_1'));
      expect(after.origin + after.pathname + after.hash).toBe(
        before.origin + before.pathname + before.hash,
      );
      expect(after.searchParams.getAll('ref')).toEqual(['ada']);
      expect(after.searchParams.getAll('service_click')).toEqual(['clk_1']);
      const own = [...after.searchParams].slice(0, -2);
      const kept = [...before.searchParams].filter(
        ([name]) => name !== 'ref' && name !== 'service_click',
      );
      expect(own).toEqual(kept);
    }),
  );
});
