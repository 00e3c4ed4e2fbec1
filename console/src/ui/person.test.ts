import { expect, test } from 'vitest';
import {
  hueOf,
  initialsOf,
  isComplete,
  isPartner,
  markIdOf,
  personDetail,
  personLabel,
} from './person.ts';

const ID = 'par_01ka3mzzzzzzzzzzzzzzzzzzzz';
const partner = { externalId: null, partnerId: 'ptn_1', deletedAt: null };
const deletedAt = '2026-11-15T09:30:00.000Z';

test('somebody is called by their name, or else by the id that the product has for them', () => {
  expect(personLabel({ name: 'Ada', externalId: '42' }, ID)).toBe('Ada');
  expect(personLabel({ name: null, externalId: '42' }, ID)).toBe('42');
});

test.each(['\u200b\u200b', ' \u2060', '\u00ad'])(
  'a name of which nothing is seen (%j) is none',
  (name) => {
    expect(personLabel({ name, externalId: '42' }, ID)).toBe('42');
    expect(personDetail({ name, externalId: '42' }, ID)).toBeNull();
  },
);

test('the external id is below a name, and not said twice', () => {
  expect(personDetail({ name: 'Ada', externalId: '42' }, ID)).toBe('42');
  expect(personDetail({ name: null, externalId: '42' }, ID)).toBeNull();
  expect(personDetail({ ...partner, name: 'Grace' }, ID)).toBeNull();
  expect(personDetail({ name: 'Ada', externalId: `deleted_${ID}`, deletedAt }, ID)).toBeNull();
});

test('a partner has no external id and is not erased', () => {
  expect(personLabel({ ...partner, name: 'Grace' }, ID)).toBe('Grace');
  expect(personLabel({ ...partner, name: null }, ID)).toBe('Partner ptn_1');
  expect(personLabel({ externalId: null }, ID)).toBe(`Partner ${ID}`);
  expect([isPartner(partner), isPartner({ externalId: '42', partnerId: null })]).toEqual([
    true,
    false,
  ]);
});

test('erased is who was deleted, in lists known by the external id that took their own’s place', () => {
  expect(personLabel({ externalId: null, partnerId: 'ptn_1', deletedAt }, ID)).toBe(
    'Erased participant',
  );
  expect(personLabel({ externalId: `deleted_${ID}` }, ID)).toBe('Erased participant');
});

test('a name is looked up only where it may exist and is not there', () => {
  const looksUp = (person: Parameters<typeof isComplete>[0], mayReadPartners = true) =>
    !isComplete(person, ID, mayReadPartners);
  expect(looksUp({ externalId: '42' })).toBe(true);
  expect(looksUp({ externalId: null })).toBe(true);
  expect(looksUp({ ...partner, name: null })).toBe(true);
  expect(looksUp({ ...partner, name: null }, false)).toBe(false);
  expect(looksUp({ name: null, externalId: '42', partnerId: null })).toBe(false);
  expect(looksUp({ name: 'Ada', externalId: '42' })).toBe(false);
  expect(looksUp({ externalId: `deleted_${ID}` })).toBe(false);
});

test.each([
  ['Ada King Lovelace', 'AL'],
  ['ada', 'A'],
  ['user-42', 'U4'],
  ['42', '4'],
  ['Øystein Å.', 'ØÅ'],
  ['李小龙', '李'],
  ['🎉', ''],
])('the initials of %s are %j', (text, initials) => {
  expect(initialsOf(text)).toBe(initials);
});

test('the colour of somebody is always the same, and one that exists', () => {
  const hues = ['par_1', 'par_2', 'par_3', 'par_4'].map((id) => hueOf(id, 6));
  expect(hues).toEqual(['par_1', 'par_2', 'par_3', 'par_4'].map((id) => hueOf(id, 6)));
  expect(hues.every((hue) => Number.isInteger(hue) && hue >= 0 && hue < 6)).toBe(true);
  expect(new Set(hues).size).toBeGreaterThan(1);
});

test('a partner has one colour, as whichever participant they are met', () => {
  expect([markIdOf(partner, 'par_1'), markIdOf(partner, 'par_2')]).toEqual(['ptn_1', 'ptn_1']);
  expect(markIdOf({ externalId: 'ada', partnerId: null }, 'par_1')).toBe('par_1');
  expect(markIdOf(undefined, 'par_1')).toBe('par_1');
});
