import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, anyUrl } from '../../../test/any-text.ts';
import { readVisit } from './read-visit.ts';

const NONE = { source: null, medium: null, campaign: null, term: null, content: null };

test('of the page only origin, path and campaign are kept, of the referrer the origin (D-TOUCH-1)', () => {
  const url =
    'https://u:p@example.com/welcome?utm_source=blog&utm_medium=%20text%20&utm_campaign=&email=ada@example.com#token=1';
  expect(readVisit(url, 'https://blog.example.org/private/page?id=7')).toEqual({
    landingUrl: 'https://example.com/welcome',
    referrerOrigin: 'https://blog.example.org',
    utm: { ...NONE, source: 'blog', medium: 'text' },
  });
});

test.each([null, '', 'rubbish', '/welcome', 'javascript:alert(1)', 'android-app://com.example'])(
  'an address like %s is no address',
  (text) => {
    expect(readVisit(text, text)).toEqual({ landingUrl: null, referrerOrigin: null, utm: NONE });
  },
);

test('whatever comes, the outcome is short, storable, and holds neither query nor fragment', () => {
  const address = fc.oneof(
    anyText(),
    anyUrl(),
    anyText({ maxLength: 3_000 }).map((text) => {
      const value = encodeURIComponent(text.toWellFormed());
      return `https://example.com/${value}?utm_term=${value}#${value}`;
    }),
  );
  fc.assert(
    fc.property(address, address, (url, referrer) => {
      const { landingUrl, referrerOrigin, utm } = readVisit(url, referrer);
      expect((landingUrl ?? '').length).toBeLessThanOrEqual(2_048);
      expect(landingUrl ?? '').not.toMatch(/[?#]/);
      if (referrerOrigin !== null) expect(new URL(referrerOrigin).origin).toBe(referrerOrigin);
      for (const text of Object.values(utm)) {
        expect([...(text ?? '')].length).toBeLessThanOrEqual(255);
        expect(text ?? 'x').not.toBe('');
        expect((text ?? '').isWellFormed()).toBe(true);
        expect(text ?? '').not.toMatch(/\p{Cc}/u);
      }
    }),
  );
});
