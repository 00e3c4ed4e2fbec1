import { describe, expect, it } from 'vitest';
import type { Ring } from '../queries.ts';
import { groupLinks, type LinkKind } from './group-links.ts';
import { layoutRing, PERSON_RADIUS } from './layout-ring.ts';
import { describeRing } from './ring-words.ts';

const ringOf = (ids: readonly string[], ...links: [string, string, LinkKind][]): Ring => ({
  people: ids.map((id) => ({ participantId: id, kind: 'individual', externalId: id })),
  links: links.map(([from, to, kind]) => ({ from, to, kind })),
});
const star = (count: number): Ring => {
  const others = Array.from({ length: count }, (_, index) => `p${index}`);
  return ringOf(
    ['ada', ...others],
    ...others.map((id): [string, string, LinkKind] => ['ada', id, 'referral']),
  );
};
const apart = (one: { x: number; y: number }, other: { x: number; y: number }) =>
  Math.hypot(one.x - other.x, one.y - other.y);

describe('the drawing of a ring', () => {
  it('places everybody apart from everybody else, and within the drawing', () => {
    for (const count of [1, 2, 3, 12, 50]) {
      const { people, width, height } = layoutRing(star(count), 'ada');
      expect(people).toHaveLength(count + 1);
      for (const [index, one] of people.entries()) {
        for (const other of people.slice(index + 1))
          expect(apart(one, other)).toBeGreaterThan(2 * PERSON_RADIUS);
        expect(one.x).toBeGreaterThan(PERSON_RADIUS);
        expect(one.x).toBeLessThan(width - PERSON_RADIUS);
        expect(one.y).toBeGreaterThan(PERSON_RADIUS);
        expect(one.y).toBeLessThan(height - PERSON_RADIUS);
      }
    }
  });

  it('has the referrer in the middle of those whom they referred', () => {
    const { people, width, height } = layoutRing(star(5), 'ada');
    expect(people.find(({ id }) => id === 'ada')).toMatchObject({ x: width / 2, y: height / 2 });
  });

  it('has those who refer each other in a circle on a circle, in their order', () => {
    const ring = ringOf(
      ['ada', 'cid', 'bob'],
      ['ada', 'bob', 'referral'],
      ['bob', 'cid', 'referral'],
      ['cid', 'ada', 'referral'],
    );
    const { people, width, height } = layoutRing(ring, 'ada');
    const center = { x: width / 2, y: height / 2 };
    const [ada, cid, bob] = people.map((one) => apart(one, center));
    expect(ada).toBeCloseTo(cid ?? 0, 0);
    expect(ada).toBeCloseTo(bob ?? 0, 0);
    expect(ada).toBeGreaterThan(PERSON_RADIUS);
  });

  it('is the same whenever it is drawn', () => {
    expect(layoutRing(star(7), 'ada')).toEqual(layoutRing(star(7), 'ada'));
  });

  it('draws a referral from one person to just before the other', () => {
    const { people, referrals } = layoutRing(star(1), 'ada');
    const [ada, bob] = people;
    const [line] = referrals;
    if (!ada || !bob || !line) throw new Error('not all there');
    expect(apart(line.start, ada)).toBeCloseTo(PERSON_RADIUS, 0);
    expect(apart(line.end, bob)).toBeGreaterThan(PERSON_RADIUS);
    expect(apart(line.end, bob)).toBeLessThan(apart(line.start, bob));
  });

  it('marks what is shared once, connected with all who share it, and beside other marks', () => {
    const ring = ringOf(
      ['ada', 'bob', 'cid'],
      ['ada', 'bob', 'network'],
      ['bob', 'cid', 'network'],
      ['ada', 'cid', 'network'],
      ['ada', 'bob', 'payout'],
      ['ada', 'bob', 'card'],
    );
    const { shared } = layoutRing(ring, 'ada');
    expect(shared.map(({ kind, lines }) => [kind, lines.length])).toEqual([
      ['network', 3],
      ['payout', 2],
      ['card', 2],
    ]);
    const [, payout, card] = shared;
    expect(apart(payout?.at ?? { x: 0, y: 0 }, card?.at ?? { x: 0, y: 0 })).toBeGreaterThan(20);
  });

  it('leaves out links to somebody who is not in the ring, or to oneself', () => {
    const ring = ringOf(
      ['ada'],
      ['ada', 'gone', 'referral'],
      ['ada', 'ada', 'network'],
      ['gone', 'ada', 'card'],
    );
    expect(groupLinks(ring)).toEqual({ referred: [], shared: [] });
  });
});

describe('the ring in words', () => {
  it('has a sentence for each referrer, and for each thing that people share', () => {
    const { referred, shared } = groupLinks(
      ringOf(
        ['ada', 'bob', 'cid', 'dan'],
        ['ada', 'bob', 'referral'],
        ['ada', 'cid', 'referral'],
        ['bob', 'dan', 'referral'],
        ['bob', 'cid', 'network'],
      ),
    );
    expect(describeRing(referred, shared)).toEqual([
      { who: ['ada'], says: 'referred', whom: ['bob', 'cid'] },
      { who: ['bob'], says: 'referred', whom: ['dan'] },
      { who: ['bob', 'cid'], says: 'were seen in the same network', whom: [] },
    ]);
  });
});
