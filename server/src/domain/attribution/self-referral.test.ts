import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSelfReferral } from './self-referral.ts';

const CREATORS: Readonly<Record<string, string>> = {
  crew: 'carl',
  band: 'carl',
  club: 'dora',
};
const creatorOf = (id: string) => CREATORS[id] ?? null;
const by = (referrerId: string, participantId: string, actorParticipantId: string | null = null) =>
  isSelfReferral(referrerId, { participantId, actorParticipantId }, creatorOf);

test.each([
  ['the participant', 'carl', 'carl', null],
  ['the actor', 'carl', 'new', 'carl'],
  ['a group that the participant created', 'crew', 'carl', null],
  ['a group that the actor created', 'crew', 'new', 'carl'],
  ['a group of the same creator', 'crew', 'band', null],
  ['who created the group', 'carl', 'crew', null],
  ['who created the group, when another acts', 'carl', 'crew', 'dora'],
] as const)('%s is oneself (D-ATTR-4)', (_, referrer, participant, actor) => {
  expect(by(referrer, participant, actor)).toBe(true);
});

test.each([
  ['a stranger', 'erik', 'carl', null],
  ['a group of somebody else', 'club', 'carl', null],
  ['a group of somebody else, for a group', 'club', 'crew', 'carl'],
  ['a group of nobody known, for a group of nobody known', 'new', 'newer', null],
] as const)('%s is not', (_, referrer, participant, actor) => {
  expect(by(referrer, participant, actor)).toBe(false);
});

test('two groups are alike: if one would refer itself by the other, so would the other', () => {
  const group = fc.constantFrom('crew', 'band', 'club', 'new', 'newer');
  fc.assert(fc.property(group, group, (one, other) => by(one, other) === by(other, one)));
});
