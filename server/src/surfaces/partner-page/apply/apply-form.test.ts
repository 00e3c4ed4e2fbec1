import fc from 'fast-check';
import { expect, test } from 'vitest';
import { en } from '../texts/en.ts';
import { APPLY_FIELDS, readApplyValues, toApplication, toApplyErrors } from './apply-form.ts';

const PROGRAM = 'prg_01ka3m0000000000000000000';
/** The application, or the form's errors. */
function submit(fields: Record<string, string>): unknown {
  try {
    return toApplication(PROGRAM, readApplyValues(new URLSearchParams(fields)));
  } catch (error) {
    const errors = toApplyErrors(error, en);
    if (!errors) throw error;
    return Object.fromEntries(errors);
  }
}
const ada = { name: ' Ada ', email: 'ada@example.com', profileType: 'individual' };

test('a text that cannot be stored is refused at its field', () => {
  expect(submit({ ...ada, message: 'x\0' })).toEqual({ message: en.checkField });
});

test('an application has what was entered, and only that', () => {
  expect(submit({ ...ada, companyName: 'Left over', other: 'x', country: '' })).toEqual({
    programId: PROGRAM,
    name: 'Ada',
    email: 'ada@example.com',
    profileType: 'individual',
  });
  const all = {
    profileType: 'company',
    companyName: 'Example Ltd',
    country: 'GB',
    website: 'https://example.com/a',
    message: 'Hello',
  };
  expect(submit({ ...ada, ...all })).toEqual({
    programId: PROGRAM,
    name: 'Ada',
    email: 'ada@example.com',
    ...all,
  });
});

test('a website needs no scheme, and only web pages are taken', () => {
  expect(submit({ ...ada, website: 'example.com/blog' })).toMatchObject({
    website: 'https://example.com/blog',
  });
  for (const website of ['javascript:alert(1)', 'ftp://example.com', 'https://', 'a b']) {
    expect(submit({ ...ada, website })).toEqual({
      website: 'This is not an address such as https://example.com.',
    });
  }
});

test('every fault stands at its field, in words for people', () => {
  const missing = 'Please fill this in.';
  expect(submit({})).toEqual({
    name: missing,
    email: missing,
    profileType: 'Please choose one.',
  });
  expect(submit({ ...ada, profileType: 'company' })).toEqual({ companyName: missing });
  expect(submit({ profileType: 'company', country: 'XX', website: 'a b' })).toEqual({
    name: missing,
    email: missing,
    companyName: missing,
    country: 'Please choose one.',
    website: 'This is not an address such as https://example.com.',
  });
  expect(submit({ ...ada, profileType: 'robot' })).toEqual({ profileType: 'Please choose one.' });
  expect(submit({ ...ada, country: 'XX' })).toEqual({ country: 'Please choose one.' });
  expect(submit({ ...ada, email: 'ada' })).toEqual({
    email: 'This is not an e-mail address such as ada@example.com.',
  });
  expect(submit({ ...ada, name: 'x'.repeat(121) })).toEqual({
    name: 'Your name must have at most 120 characters.',
  });
});

test('no input is an error that the form cannot show', () => {
  const anyFields = fc.record(
    Object.fromEntries(APPLY_FIELDS.map((field) => [field, fc.string({ maxLength: 40 })])),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyFields, (fields) => {
      expect(() => submit(fields as Record<string, string>)).not.toThrow();
    }),
  );
});
