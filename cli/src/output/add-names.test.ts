import { expect, test } from 'vitest';
import { addNames, describeParty, participantIdsIn } from './add-names.ts';

const ada = { participantId: 'par_1', externalId: '42', name: 'Ada' };
const grace = { participantId: 'par_2', externalId: null, name: 'Grace' };
const nameless = { participantId: 'par_3', externalId: '43', name: null };
const names = new Map([ada, grace, nameless].map((one) => [one.participantId, one]));

const reward = { id: 'rwd_1', beneficiary: { participantId: 'par_1', externalId: '42' } };
const event = { id: 'evt_1', participantId: 'par_3', type: 'signup', actorParticipantId: 'par_1' };

test('every participant of an answer is asked for, once', () => {
  expect(participantIdsIn([reward, event, { deep: [{ referrerParticipantId: 'par_2' }] }])).toEqual(
    ['par_1', 'par_3', 'par_2'],
  );
  expect(participantIdsIn({ participantId: null, other: 'par_9' })).toEqual([]);
});

test('a name comes right after the id it is of, or else the external id', () => {
  expect(Object.entries(addNames(event, names))).toEqual([
    ['id', 'evt_1'],
    ['participantId', 'par_3'],
    ['participantName', '43'],
    ['type', 'signup'],
    ['actorParticipantId', 'par_1'],
    ['actorName', 'Ada'],
  ]);
  expect(addNames([{ referrerParticipantId: 'par_2' }], names)).toEqual([
    { referrerParticipantId: 'par_2', referrerName: 'Grace' },
  ]);
});

test('a participant in an answer gets its name', () => {
  expect(addNames(reward, names)).toEqual({
    id: 'rwd_1',
    beneficiary: { participantId: 'par_1', externalId: '42', name: 'Ada' },
  });
});

test('unknown ids stay as they are', () => {
  const unknown = { participantId: 'par_9' };
  expect(addNames(unknown, names)).toEqual(unknown);
  expect(addNames(event, new Map())).toBe(event);
});

test('a participant is its external id, with the name beside it', () => {
  expect([ada, grace, nameless].map(describeParty)).toEqual(['42 (Ada)', 'Grace', '43']);
  expect(describeParty({ participantId: 'par_2', externalId: null })).toBe('par_2');
});
