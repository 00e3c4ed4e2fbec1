import { expect, test } from 'vitest';
import { PROGRAM_STATUSES } from '../../programs/program-status.ts';
import { decideOffer, type NameHolder } from './decide-offer.ts';

const code: NameHolder = {
  refCodeId: 'cod',
  linkId: null,
  participantId: 'ada',
  programStatus: 'ended',
};
const link: NameHolder = { ...code, linkId: 'lnk' };
const wish = { name: 'friends', kind: 'code', participantId: 'ada' } as const;

test('a name that nobody has is free, unless somebody who was erased had it', () => {
  expect(decideOffer(wish, null, false)).toEqual({ name: 'friends', moved: null });
  expect(decideOffer(wish, null, true)).toBeNull();
});

test('a name of a Program that is over moves with its owner (D-AM-4)', () => {
  const offered = PROGRAM_STATUSES.filter(
    (programStatus) => decideOffer(wish, { ...code, programStatus }, false) !== null,
  );
  expect(offered).toEqual(['ended', 'archived']);
  expect(decideOffer(wish, code, false)).toEqual({ name: 'friends', moved: code });
});

test('nobody else takes it, nor somebody who is not there yet', () => {
  expect(decideOffer({ ...wish, participantId: 'bob' }, code, false)).toBeNull();
  expect(decideOffer({ ...wish, participantId: null }, code, false)).toBeNull();
});

test('a code stays a code and a slug a slug', () => {
  expect(decideOffer({ ...wish, kind: 'link' }, link, false)).toEqual({
    name: 'friends',
    moved: link,
  });
  expect(decideOffer(wish, link, false)).toBeNull();
  expect(decideOffer({ ...wish, kind: 'link' }, code, false)).toBeNull();
});
