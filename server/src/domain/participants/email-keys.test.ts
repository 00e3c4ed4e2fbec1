import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyring } from '../../platform/kit/keyring.ts';
import { isDisposable, readDomains } from './disposable-domains.ts';
import { emailKeysOf, NO_EMAIL, readAddress } from './email-keys.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));
const keys = (email: string | null, projectId = 'prj') => emailKeysOf(keyring, projectId, email);

test.each([
  ['Ada.B+tag@Example.COM', 'adab', 'example.com'],
  [' ada@example.com ', 'ada', 'example.com'],
  ['+tag@example.com', '+tag', 'example.com'],
  ['"a@b"@example.com', '"a@b"', 'example.com'],
  ['ada', 'ada', ''],
])('%j is the mailbox %j of %j', (email, name, domain) => {
  expect(readAddress(email)).toEqual({ name, domain });
});

test('addresses have one key without tags and dots, and one stem without digits', () => {
  const ada = keys('ada.b+1@example.com');
  expect(keys('ADAB@example.com')).toEqual(ada);
  expect(keys('ada7b9@example.com')).toMatchObject({ emailStem: ada.emailStem });
  expect(keys('ada7b9@example.com').emailKey).not.toBe(ada.emailKey);
  expect(keys('adab@example.org').emailKey).not.toBe(ada.emailKey);
  expect(keys('adab@example.com', 'other').emailKey).not.toBe(ada.emailKey);
  expect(keys(null)).toEqual(NO_EMAIL);
});

test('short names are alike by chance: they have no stem', () => {
  expect(keys('ab12@example.com').emailStem).toBeNull();
  expect(keys('2026@example.com').emailStem).toBeNull();
  expect(keys('abc12@example.com').emailStem).not.toBeNull();
});

test('a key says nothing about its address', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      const { emailKey, emailStem } = keys(email);
      for (const key of [emailKey, emailStem]) {
        expect(key === null || /^[\w-]{43}$/.test(key)).toBe(true);
      }
    }),
  );
});

test('a domain is disposable if the list has it, or one above it', () => {
  expect(isDisposable('mailinator.com')).toBe(true);
  expect(isDisposable('eu.mailinator.com')).toBe(true);
  expect(isDisposable('notmailinator.example')).toBe(false);
  expect(isDisposable('com')).toBe(false);
  expect(keys('x@mailinator.com').emailIsDisposable).toBe(true);
  expect(keys('x@example.com').emailIsDisposable).toBe(false);
});

test('a list has one domain a line, and comments', () => {
  expect(readDomains('# list, 2026-11-18\n\nA.example # old\nb.example\r\n')).toEqual([
    'a.example',
    'b.example',
  ]);
});
