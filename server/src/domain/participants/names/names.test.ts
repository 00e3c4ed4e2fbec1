import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import { isOffensive, makeCode, OFFENSIVE_WORDS } from './find-free-name.ts';
import { slugCandidates, slugify, tombstoneOf } from './names.ts';

const SLUG = /^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/;

test('a random code has 8 characters that nobody mistakes, and spells nothing rude (D-CODE-1)', () => {
  const codes = Array.from({ length: 5_000 }, makeCode);
  for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{8}$/);
  expect(codes.some(isOffensive)).toBe(false);
  expect(new Set(codes).size).toBe(codes.length);
});

test('rude words are seen through digits that read as letters', () => {
  expect(isOffensive('xyfuckab')).toBe(true);
  expect(isOffensive('9r4p3kmn')).toBe(true);
  expect(isOffensive('k7m2p9xw')).toBe(false);
});

test('every word that is looked for can occur in a code', () => {
  for (const word of OFFENSIVE_WORDS) expect(word).toMatch(/^[a-hjkmnp-z]{1,8}$/);
});

test('any hint gives slugs that are well formed and all different', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (hint) => {
      const slugs = slugCandidates(hint, 'k7m2p9xw');
      for (const slug of slugs) expect(slug).toMatch(SLUG);
      expect(new Set(slugs).size).toBe(slugs.length);
    }),
  );
});

test('a slug reads like the name it came from', () => {
  expect(slugify('Zoë’s Café & Bar')).toBe('zoe-s-cafe-bar');
  expect(slugify('李')).toBe('partner');
  expect(slugify('X')).toBe('partner-x');
  expect(slugify(`${'a'.repeat(39)} b`)).toBe('a'.repeat(39));
});

test('a tombstone tells its name from others, by Project and kind, and needs the key', () => {
  const keyring = createKeyring(Buffer.alloc(32, 1));
  const { hash } = tombstoneOf(keyring, 'prj_1', 'individual', '42');
  expect(tombstoneOf(keyring, 'prj_1', 'individual', '42').hash).toBe(hash);
  expect(tombstoneOf(keyring, 'prj_1', 'group', '42').hash).not.toBe(hash);
  expect(tombstoneOf(keyring, 'prj_2', 'individual', '42').hash).not.toBe(hash);
  const other = createKeyring(Buffer.alloc(32, 2));
  expect(tombstoneOf(other, 'prj_1', 'individual', '42').hash).not.toBe(hash);
});
