import { expect, test } from 'vitest';
import { drawRing, type Mark } from './draw-ring.ts';

const referral = { from: 'ada', to: 'bob' };
const draw = (marks: readonly Mark[], referrals = [referral]) =>
  drawRing({ referrerId: 'ada', refereeId: 'bob', referrals, marks });
const network = (participantId: string, mark = 'home'): Mark => ({
  participantId,
  kind: 'network',
  mark,
});

test('two people who share nothing are linked by their referral alone', () => {
  expect(draw([network('ada'), network('bob', 'work')])).toEqual({
    people: ['ada', 'bob'],
    links: [{ ...referral, kind: 'referral' }],
  });
});

test('others are drawn if they share something, linked to the referee, once for each kind', () => {
  const others = ['eve', 'joe', 'sue'].map((to) => ({ from: 'ada', to }));
  const marks: Mark[] = [
    network('eve'),
    network('bob'),
    network('eve', 'work'),
    network('bob', 'work'),
    { participantId: 'eve', kind: 'payout', mark: 'iban' },
    { participantId: 'joe', kind: 'payout', mark: 'iban' },
  ];
  expect(draw(marks, [referral, ...others])).toEqual({
    people: ['ada', 'bob', 'eve', 'joe'],
    links: [
      ...[referral, ...others.slice(0, 2)].map((one) => ({ ...one, kind: 'referral' })),
      { from: 'bob', to: 'eve', kind: 'network' },
      { from: 'eve', to: 'joe', kind: 'payout' },
    ],
  });
});

test('the same hash of another kind is nothing shared', () => {
  const marks: Mark[] = [network('ada', 'x'), { participantId: 'bob', kind: 'card', mark: 'x' }];
  expect(draw(marks).links).toEqual([{ ...referral, kind: 'referral' }]);
});

test('a circle of referrals is drawn whole, and a chain that leads elsewhere is not', () => {
  const circle = [referral, { from: 'bob', to: 'eve' }, { from: 'eve', to: 'ada' }];
  expect(draw([], circle).people.toSorted()).toEqual(['ada', 'bob', 'eve']);
  expect(draw([], circle).links).toHaveLength(3);
  const chain = [referral, { from: 'joe', to: 'eve' }, { from: 'eve', to: 'ada' }];
  expect(draw([], chain).people).toEqual(['ada', 'bob']);
});
