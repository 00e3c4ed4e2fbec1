import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { hashPassword, judgePassword, verifyPassword } from './passwords.ts';

describe('a new password (D-ADM-2)', () => {
  test.each([
    'a wide river in the north',
    'Tr0ub4dor&3-extended',
    'пароль которого нет',
    'zwölf Zeichen und mehr',
  ])('%s will do', (password) => {
    expect(judgePassword(password, 'ada@example.com')).toBeNull();
  });

  test.each([
    ['eleven characters', 'abcdefghijk', 'at least 12'],
    ['more than it may have', 'ab c'.repeat(65), 'at most 256'],
    ['the address', 'Ada@Example.com', 'e-mail'],
    ['the address with a tail', 'ada@example.com1', 'e-mail'],
    ['one letter', 'aaaaaaaaaaaa', 'too common'],
    ['a row of digits', '123456789012', 'too common'],
    ['a row of digits backwards', '987654321098', 'too common'],
    ['a row of letters', 'abcdefghijkl', 'too common'],
    ['password with digits', 'password1234', 'too common'],
    ['password as some write it', 'P@ssw0rd2026!', 'too common'],
    ['a word twice', 'passwordpassword', 'too common'],
    ['a row of keys', 'qwertyuiop123', 'too common'],
    ['the most famous one', 'correct horse battery staple', 'too common'],
  ])('%s will not', (_name, password, why) => {
    expect(judgePassword(password, 'ada@example.com')).toContain(why);
  });

  test('length counts what people see, not how it is stored', () => {
    expect(judgePassword('🦜🦊🐝🐢🦉🐙🦀🐬🦩🐿🦔', null)).toContain('at least 12');
    expect(judgePassword('🦜🦊🐝🐢🦉🐙🦀🐬🦩🐿🦔🦚', null)).toBeNull();
  });
});

test('only the password itself is the password, in whichever form a keyboard sends it', async () => {
  const hashed = await hashPassword('Zwölf Zeichen');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hashed, 'Zwo\u0308lf Zeichen')).toBe(true);
  expect(await verifyPassword(hashed, 'zwölf Zeichen')).toBe(false);
  expect(await verifyPassword('not a hash', 'Zwölf Zeichen')).toBe(false);
});

test('judging never fails', () => {
  fc.assert(
    fc.property(anyText(), fc.option(fc.string()), (password, email) => {
      judgePassword(password, email);
    }),
  );
});
