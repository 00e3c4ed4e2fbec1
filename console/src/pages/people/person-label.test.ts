import { expect, test } from 'vitest';
import { personLabel } from './person-label.ts';

const ID = 'par_01ka3mzzzzzzzzzzzzzzzzzzzz';

test('somebody is called by their name, or else by the id that the product has for them', () => {
  expect(personLabel({ name: 'Ada', externalId: '42' }, ID)).toBe('Ada');
  expect(personLabel({ name: null, externalId: '42' }, ID)).toBe('42');
});

test('a partner has no external id and is not erased', () => {
  const partner = { externalId: null, partnerId: 'ptn_1', deletedAt: null };
  expect(personLabel({ ...partner, name: 'Grace' }, ID)).toBe('Grace');
  expect(personLabel({ ...partner, name: null }, ID)).toBe('Partner ptn_1');
  expect(personLabel({ externalId: null }, ID)).toBe(`Partner ${ID}`);
});

test('erased is who was deleted, in lists known by the external id that took their own’s place', () => {
  const deletedAt = '2026-11-15T09:30:00.000Z';
  expect(personLabel({ externalId: null, partnerId: 'ptn_1', deletedAt }, ID)).toBe(
    'Erased participant',
  );
  expect(personLabel({ externalId: `deleted_${ID}` }, ID)).toBe('Erased participant');
});
