import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { attachment } from './send-pages.ts';

test('names of our own making stay as they are', () => {
  expect(attachment('audit-log-prj_01ka3m-2026-11-15.csv')).toBe(
    'attachment; filename="audit-log-prj_01ka3m-2026-11-15.csv"',
  );
});

test('any other name is a header that can be sent, and one name', () => {
  expect(attachment('a"\r\nset-cookie: x=1; é.csv')).toBe(
    'attachment; filename="a_set-cookie_x_1_.csv"',
  );
  fc.assert(
    fc.property(anyText({ maxLength: 600 }), (text) => {
      expect(attachment(`${text}.csv`)).toMatch(
        /^attachment; filename="[A-Za-z0-9._-]{0,150}\.csv"$/,
      );
    }),
  );
});
