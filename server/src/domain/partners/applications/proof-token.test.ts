import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { encodeBase32 } from '../../../platform/kit/ids.ts';
import { DAY_MS } from '../../../platform/kit/instant.ts';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import { makeProofToken, markAddress, readProofToken, toProofUrl } from './proof-token.ts';

const keyring = createKeyring(new Uint8Array(32).fill(1));
const otherKeyring = createKeyring(new Uint8Array(32).fill(2));
const ids = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(encodeBase32);
const subjects = fc.record({
  projectId: ids.map((id) => `prj_${id}`),
  applicationId: ids.map((id) => `preq_${id}`),
  email: fc.emailAddress(),
});
const times = fc.integer({ min: 0, max: Date.parse('2100-01-01') });

test('a token names its application and address for seven days, and nothing from then on', () => {
  fc.assert(
    fc.property(subjects, times, fc.integer({ min: 0, max: 8 * DAY_MS }), (subject, at, later) => {
      const token = makeProofToken(keyring, subject, at);
      const { email, ...named } = subject;
      expect(readProofToken(keyring, token, at + later)).toEqual(
        later < 7 * DAY_MS ? { ...named, addressMark: markAddress(keyring, email) } : undefined,
      );
    }),
  );
});

test('a token changed in any character is worth nothing', () => {
  fc.assert(
    fc.property(
      subjects,
      times,
      fc.nat(),
      fc.constantFrom('0', 'a', '.', '_', '-', ' '),
      (subject, at, index, sign) => {
        const token = makeProofToken(keyring, subject, at);
        const place = index % token.length;
        fc.pre(token[place] !== sign);
        const forged = token.slice(0, place) + sign + token.slice(place + 1);
        expect(readProofToken(keyring, forged, at)).toBeUndefined();
      },
    ),
  );
});

test('a token of another installation is worth nothing', () => {
  fc.assert(
    fc.property(subjects, times, (subject, at) => {
      expect(
        readProofToken(keyring, makeProofToken(otherKeyring, subject, at), at),
      ).toBeUndefined();
    }),
  );
});

test('any text is read without an error', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 300 }), (text) => {
      expect(readProofToken(keyring, text, 0)).toBeUndefined();
    }),
  );
});

test('the token stands in its link as it is', () => {
  fc.assert(
    fc.property(subjects, times, (subject, at) => {
      const token = makeProofToken(keyring, subject, at);
      const url = new URL(toProofUrl('https://refer.example.com', token));
      expect(url.searchParams.get('token')).toBe(token);
    }),
  );
});

test('an address has one mark however it is written, and no other address has it', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.emailAddress(), (email, other) => {
      fc.pre(email.toLowerCase() !== other.toLowerCase());
      expect(markAddress(keyring, email.toUpperCase())).toBe(markAddress(keyring, email));
      expect(markAddress(keyring, other)).not.toBe(markAddress(keyring, email));
      expect(markAddress(otherKeyring, email)).not.toBe(markAddress(keyring, email));
    }),
  );
  expect(markAddress(keyring, 'ada+shop@example.com')).not.toBe(
    markAddress(keyring, 'ada@example.com'),
  );
});
