import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '../../../platform/kit/instant.ts';
import {
  emptyRisk,
  type NearReferral,
  NO_VISIT,
  type RiskProfile,
  type RiskSlice,
} from '../risk-slice.ts';
import { gatherFacts, type JudgedReferral } from './gather-facts.ts';
import { keepReferral } from './keep-referral.ts';
import { NO_RISK, packFacts, unpackFacts } from './risk-facts.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const ago = (ms: number) => addMs(NOW, -ms);
const party = (id: string) => ({ id, kind: 'individual' as const, externalId: id });

const judged = (changes: Partial<JudgedReferral> = {}): JudgedReferral => ({
  boundAt: NOW,
  referrer: { ...party('ada'), createdAt: ago(11 * DAY_MS) },
  referee: party('bob'),
  referred: 1,
  clickNetworks: [],
  purchases: 0,
  refundedPurchases: 0,
  referrerOf: () => undefined,
  ...changes,
});
const profile = (changes: Partial<RiskProfile> = {}): RiskProfile => ({
  emailKey: null,
  emailStem: null,
  emailDomain: null,
  emailIsDisposable: false,
  networks: [],
  cardOthers: 0,
  ...changes,
});
const slice = (changes: Partial<RiskSlice> = {}): RiskSlice => ({ ...emptyRisk(), ...changes });
const profiles = (some: Record<string, Partial<RiskProfile>>) =>
  new Map(Object.entries(some).map(([id, changes]) => [id, profile(changes)]));
const near = (...referrals: [refereeId: string, ms: number][]) =>
  new Map([
    [
      'ada',
      referrals.map(
        ([refereeId, ms]): NearReferral => ({ refereeId, boundAtMs: Date.parse(ago(ms)) }),
      ),
    ],
  ]);
const listed = (changes: object) => ({ ...emptyRisk().book.allowed, ...changes });

test('of strangers nothing is found', () => {
  expect(gatherFacts(slice(), judged())).toEqual(NO_RISK);
});

test('facts are stored without what is usual, and read as they were', () => {
  const facts = {
    ...NO_RISK,
    sharedNetworks: 2,
    secondsFromClick: 0,
    watched: ['network'] as const,
  };
  expect(packFacts(facts)).toEqual({
    sharedNetworks: 2,
    secondsFromClick: 0,
    watched: ['network'],
  });
  expect(unpackFacts(packFacts(facts))).toEqual(facts);
  expect(packFacts(NO_RISK)).toEqual({});
});

describe('the rush', () => {
  test('counts the hour and the day up to the referral, with it and without later ones', () => {
    const recent = near(
      ['old', DAY_MS],
      ['day', DAY_MS - 1],
      ['cyd', HOUR_MS],
      ['dan', HOUR_MS - 1],
      ['eve', 0],
      ['bob', 0],
      ['later', -1],
    );
    expect(gatherFacts(slice({ recent }), judged())).toMatchObject({
      referralsInHour: 3,
      referralsInDay: 5,
    });
  });

  test.each([
    [1, 0],
    [11, 1],
    [12, 2],
    [301, 30],
  ])('of %i referrals in eleven days, %i were usual a day', (referred, usualPerDay) => {
    expect(gatherFacts(slice(), judged({ referred }))).toMatchObject({ usualPerDay });
  });

  test('of a referrer who is new has nothing usual to be compared with', () => {
    const referrer = { ...party('ada'), createdAt: NOW };
    expect(gatherFacts(slice(), judged({ referrer, referred: 4 }))).toMatchObject({
      usualPerDay: 0,
    });
  });
});

describe('a network', () => {
  test('is shared by pages of their own, by the click, and by the touch of their own referral', () => {
    const ada = profiles({ ada: { networks: ['home', 'office'] } });
    const shared = (changes: Partial<RiskSlice>, clickNetworks: string[] = []) =>
      gatherFacts(slice(changes), judged({ clickNetworks })).sharedNetworks;
    expect(shared({ profiles: ada }, ['home', 'cafe'])).toBe(1);
    const both = profiles({ ada: { networks: ['home', 'office'] }, bob: { networks: ['office'] } });
    expect(shared({ profiles: both }, ['home'])).toBe(2);
    const visits = new Map([['bob', { clickedAt: null, network: 'home' }]]);
    expect(shared({ profiles: ada, visits })).toBe(1);
    expect(shared({ profiles: profiles({ ada: {} }), visits })).toBe(0);
  });

  test('counts the other referees in it, and nobody if it is allowed', () => {
    const visits = new Map(
      ['cyd', 'dan', 'eve'].map((id) => [
        id,
        { clickedAt: null, network: id === 'eve' ? 'x' : 'home' },
      ]),
    );
    const recent = near(['cyd', 1], ['dan', 1], ['eve', 1], ['bob', 0]);
    const some = { visits, recent, profiles: profiles({ ada: { networks: ['home'] } }) };
    const at = judged({ clickNetworks: ['home'] });
    expect(gatherFacts(slice(some), at)).toMatchObject({ sharedNetworks: 1, refereesOnNetwork: 2 });
    const book = { ...emptyRisk().book, allowed: listed({ networks: new Set(['home']) }) };
    expect(gatherFacts(slice({ ...some, book }), at)).toMatchObject({
      sharedNetworks: 0,
      refereesOnNetwork: 0,
      allowed: ['network'],
    });
  });
});

test('addresses are compared with the referrer and the newest referees', () => {
  const recent = near(['cyd', 1], ['dan', 1], ['bob', 0]);
  const people = profiles({
    ada: { emailKey: 'a', emailStem: 's' },
    bob: { emailKey: 'a', emailStem: 's', emailIsDisposable: true },
    cyd: { emailKey: 'b', emailStem: 's' },
    dan: { emailKey: 'c' },
    stranger: { emailKey: 'a' },
  });
  expect(gatherFacts(slice({ recent, profiles: people }), judged())).toMatchObject({
    sameAddresses: 1,
    similarAddresses: 1,
    isDisposable: true,
  });
  const unknown = profiles({ ada: {}, cyd: {} });
  expect(gatherFacts(slice({ recent, profiles: unknown }), judged())).toEqual({
    ...NO_RISK,
    referralsInHour: 3,
    referralsInDay: 3,
  });
});

test('an account counts its other people once, also if both sides have it', () => {
  const paid = (participantId: string, account: string, others: number) =>
    [participantId, { participantId, account, others }] as const;
  const recent = near(['cyd', 1], ['dan', 1], ['bob', 0]);
  const accounts = new Map([paid('ada', 'x', 3), paid('bob', 'x', 3), paid('cyd', 'x', 3)]);
  expect(gatherFacts(slice({ recent, accounts }), judged())).toMatchObject({
    sharedPayouts: 3,
    refereesOnPayout: 1,
  });
  const apart = new Map([paid('ada', 'x', 1), paid('bob', 'y', 2)]);
  expect(gatherFacts(slice({ accounts: apart }), judged())).toMatchObject({
    sharedPayouts: 3,
    refereesOnPayout: 0,
  });
});

describe('a circle', () => {
  const above = (chain: Record<string, string>) => new Map(Object.entries(chain));
  test.each([
    [{}, 0],
    [{ ada: 'cyd', cyd: 'dan' }, 0],
    [{ ada: 'bob' }, 2],
    [{ ada: 'cyd', cyd: 'bob', bob: 'ada' }, 3],
    [{ ada: 'cyd', cyd: 'ada' }, 0],
  ])('of %j has %i people', (chain, length) => {
    const found = gatherFacts(slice({ referrerOf: above(chain) }), judged());
    expect(found.cycleLength).toBe(length);
  });

  test('is closed by referrals of the batch as well', () => {
    const referrerOf = (id: string) => (id === 'ada' ? 'cyd' : undefined);
    const chain = above({ cyd: 'bob' });
    expect(gatherFacts(slice({ referrerOf: chain }), judged({ referrerOf })).cycleLength).toBe(3);
  });
});

test('the time from the click is that of the referral’s touch, and never negative', () => {
  const seconds = (ms: number) =>
    gatherFacts(
      slice({ visits: new Map([['bob', { clickedAt: ago(ms), network: null }]]) }),
      judged(),
    ).secondsFromClick;
  expect([seconds(1_999), seconds(0), seconds(-5_000)]).toEqual([1, 0, 0]);
});

test('lists name domains of the referee, networks, and both sides', () => {
  const book = {
    allowed: listed({ emailDomains: new Set(['school.example']) }),
    watched: listed({
      participants: new Set(['individual bob', 'individual ada', 'group ada']),
      networks: new Set(['cafe']),
    }),
  };
  const people = profiles({ bob: { emailDomain: 'school.example' } });
  const found = gatherFacts(slice({ book, profiles: people }), judged({ clickNetworks: ['cafe'] }));
  expect(found).toMatchObject({ allowed: ['email_domain'], watched: ['network', 'participant'] });
  const others = judged({ referee: party('cyd'), referrer: { ...party('dan'), createdAt: NOW } });
  expect(gatherFacts(slice({ book }), others)).toMatchObject({ allowed: [], watched: [] });
});

test('a new referral is one of the newest of its referrer', () => {
  const { recent, visits } = slice({ recent: near(['cyd', 1]) });
  const bound = {
    referrerParticipantId: 'ada',
    refereeParticipantId: 'bob',
    bindingOccurredAt: NOW,
  };
  keepReferral({ recent, visits }, bound, { clickedAt: NOW, network: 'home' });
  expect(recent.get('ada')?.map(({ refereeId }) => refereeId)).toEqual(['cyd', 'bob']);
  expect(visits.get('bob')).toEqual({ clickedAt: NOW, network: 'home' });
  for (let n = 0; n < 40; n += 1) {
    keepReferral({ recent, visits }, { ...bound, refereeParticipantId: `${n}` }, NO_VISIT);
  }
  expect(recent.get('ada')).toHaveLength(30);
  expect(recent.get('ada')?.at(-1)?.refereeId).toBe('39');
});
