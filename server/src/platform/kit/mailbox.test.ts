import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameAddress, listForms, readMailbox } from './mailbox.ts';

test.each([
  'ada@example.com',
  "Ada.o'Neil+tag_1=x@mail.example.co.uk",
  `${'a'.repeat(64)}@example.com`,
  '!#$%&*/?^`{|}~@1a.example',
  'ada@xn--tda.de',
])('%s is mailed as it is', (address) => {
  expect(readMailbox(address)).toEqual({ recipient: address, needsUtf8: false });
});

test('a domain is given to the server in lower case, and in its ASCII form', () => {
  expect(readMailbox('Ada@Example.COM')?.recipient).toBe('Ada@example.com');
  expect(readMailbox('ada@Bücher.example')?.recipient).toBe('ada@xn--bcher-kva.example');
  expect(readMailbox('ada@bu\u0308cher.example')?.recipient).toBe('ada@xn--bcher-kva.example');
  expect(readMailbox('ada@straße.de')?.recipient).toBe('ada@xn--strae-oqa.de');
});

test.each(['ü@ü.de', 'жанна@почта.рф', '李@example.com', 'a.é@xn--tda.de'])(
  '%s needs a server with SMTPUTF8',
  (address) => {
    expect(readMailbox(address)).toMatchObject({ needsUtf8: true });
  },
);

test('with letters outside ASCII before the @, the domain has its readable form', () => {
  expect(readMailbox('ü@xn--tda.de')?.recipient).toBe('ü@ü.de');
});

test.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'a@b',
  'a@localhost',
  'a@b.de>',
  '<a@b.de',
  'a@b.de,c@d.de',
  'a,b@c.de',
  'a;b@c.de',
  'a(x)@b.de',
  '"a"@b.de',
  '"a b"@c.de',
  'a\\b@c.de',
  'a@b@c.de',
  'a b@c.de',
  ' a@b.de',
  'a@b.de\n',
  'a@b.de\r\nRCPT TO:<c@d.de>',
  'a\u0000@b.de',
  '\u202ea@b.de',
  'a@b\u202e.de',
  'a\u200bb@c.de',
  'a\u00adb@c.de',
  'a@b\u00ad.de',
  'a\u034fb@c.de',
  'a\u3164@b.de',
  'u\u0308@b.de',
  '\u0308@b.de',
  'a\uff20b.de',
  'a@ｂ.de',
  'a@b。de',
  '😀@b.de',
  '.a@b.de',
  'a.@b.de',
  'a..b@c.de',
  'a@.b.de',
  'a@b.de.',
  'a@b..de',
  'a@-b.de',
  'a@b-.de',
  'a@b_c.de',
  'a@b.de/x',
  'a@b.de?x',
  'a@b%2ede.de',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@127.1',
  'a@1.0x7f',
  'a@b.12',
  'a@xn--a.de',
  `${'a'.repeat(65)}@b.de`,
  `${'ü'.repeat(33)}@b.de`,
  `a@${'b'.repeat(64)}.de`,
  `a@${'b.'.repeat(126)}de`,
  'a\ud800@b.de',
])('%j is not mailed', (address) => {
  expect(readMailbox(address)).toBeNull();
});

const piece = fc.oneof(
  fc.constantFrom('@', '.', '..', '>', ' ', ',', '"', '\u202e', 'ü', 'u\u0308', 'ß', 'xn--', '-'),
  fc.stringMatching(/^[A-Za-z0-9]{1,4}$/),
  fc.string({ unit: 'grapheme', maxLength: 2 }),
);

test('whatever is kept, what the server gets is the same mailbox, and reading it again changes nothing', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, isWhole) => {
      const kept = isWhole ? `${pieces.join('')}@example.com` : pieces.join('');
      const mailbox = readMailbox(kept);
      if (mailbox === null) return;
      const { recipient, needsUtf8 } = mailbox;
      expect(recipient.split('@')).toHaveLength(2);
      expect(recipient.split('@')[0]).toBe(kept.split('@')[0]);
      expect(recipient).not.toMatch(/[\s<>,;"()\\\p{C}]/u);
      expect(/^[\x21-\x7e]+$/.test(recipient)).toBe(!needsUtf8);
      expect(readMailbox(recipient)).toEqual(mailbox);
    }),
  );
});

test('an address is the same in upper and lower case, and in both forms of its domain', () => {
  expect(isSameAddress('Ada@Ü.de', 'ada@xn--tda.DE')).toBe(true);
  expect(isSameAddress('ü@ü.de', 'Ü@xn--tda.de')).toBe(true);
  expect(isSameAddress('a@b.de>', 'A@B.de>')).toBe(true);
  expect(isSameAddress('a@b.de>', 'a@b.de')).toBe(false);
  expect(isSameAddress('u@ü.de', 'u@u.de')).toBe(false);
  expect(isSameAddress('u@ü.de', 'ü@ü.de')).toBe(false);
  expect(listForms('a@ü.de')).toEqual(['a@ü.de', 'a@xn--tda.de']);
  expect(listForms('a@b')).toEqual(['a@b']);
});
