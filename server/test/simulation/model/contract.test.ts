import { expect, test } from 'vitest';
import { expectOf } from './contract.ts';
import type { Fact, ProgramFacts, RuleFacts, Terms } from './facts.ts';

const START = '2026-01-01T00:00:00.000Z';
/** So many minutes after the start. */
const at = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000).toISOString();

const TERMS: Terms = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '100',
  durationMode: 'forever',
  roundingPolicy: 'half_up',
  refundPolicy: 'proportional',
  enabled: true,
};

const rule = (eventType: RuleFacts['eventType'], role: RuleFacts['role']): RuleFacts => ({
  key: `${eventType} of ${role}`,
  eventType,
  role,
  versions: [
    {
      effectiveAt: START,
      terms: eventType === 'signup' ? { ...TERMS, durationMode: 'once' } : TERMS,
    },
  ],
});

const PROGRAM: ProgramFacts = {
  key: 'g0',
  isLoyalty: false,
  paysCash: false,
  creditsBalance: false,
  starts: new Map(),
  policies: [{ effectiveAt: START, policy: { model: 'last_touch', windowDays: 30 } }],
  statuses: [{ from: START, status: 'active' }],
  rules: [rule('signup', 'referrer'), rule('purchase', 'referrer')],
};

const codeOf = (person: string): Fact => ({
  kind: 'code',
  name: `code of ${person}`,
  codeId: `id of ${person}`,
  person,
  program: 'g0',
});

interface Signup {
  readonly person: string;
  readonly by?: string;
  readonly actor?: string;
  readonly handle?: string;
  readonly minute: number;
}

const signup = ({ person, by, actor, handle, minute }: Signup): Fact => ({
  kind: 'signup',
  person,
  actor: actor ?? null,
  refCode: by === undefined ? null : `code of ${by}`,
  handle: handle ?? null,
  occurredAt: at(minute),
  receivedAt: at(minute),
});

const purchase = (
  key: string,
  person: string,
  minute: number,
  actor: string | null = null,
): Fact => ({
  kind: 'purchase',
  key,
  person,
  actor,
  subscription: null,
  invoice: null,
  amountMinor: 1_000n,
  currency: 'USD',
  occurredAt: at(minute),
  receivedAt: at(minute),
  gaveUp: false,
});

/** Of one invoice. */
const bill = (key: string, person: string, minute: number): Fact => ({
  ...(purchase(key, person, minute) as Fact & { kind: 'purchase' }),
  invoice: 'one',
});

const refundOf = (purchaseKey: string, minute: number, isEarly = false): Fact => ({
  kind: 'adjustment',
  purchase: purchaseKey,
  adjustment: {
    key: `refund of ${purchaseKey}`,
    kind: 'refund',
    amountMinor: 250n,
    of: null,
    occurredAt: at(minute),
  },
  reportedAt: at(minute),
  isEarly,
});

function expectOfFacts(facts: readonly Fact[], programs = [PROGRAM]) {
  const referrers = ['ann', 'ben', 'acme', 'bolt'];
  const enrollments = referrers.map((person) => ({
    person,
    program: 'g0',
    startsAt: START,
    endsAt: null,
  }));
  const expected = expectOf({ programs, enrollments, facts: [...referrers.map(codeOf), ...facts] });
  return {
    ...expected,
    referrerOf: (person: string) => expected.referrals.get(person)?.referrer ?? null,
    earned: [...expected.rewards.values()].map(({ key, beneficiary }) => `${key}: ${beneficiary}`),
  };
}

test('a group without a code is referred as the person was who signs it up', () => {
  const { referrerOf } = expectOfFacts([
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    signup({ person: 'dyn', actor: 'cal', minute: 2 }),
  ]);
  expect(referrerOf('dyn')).toBe('ann');
});

test('a referral of the actor that is older than the window counts no more', () => {
  const later = 31 * 24 * 60;
  const { referrerOf } = expectOfFacts([
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    signup({ person: 'dyn', actor: 'cal', minute: later }),
  ]);
  expect(referrerOf('dyn')).toBeNull();
});

test('the code of a group comes before all that its actor has clicked', () => {
  const { referrerOf } = expectOfFacts([
    { kind: 'touch', handle: 'hdl', name: 'code of ann', occurredAt: at(1) },
    signup({ person: 'dyn', by: 'ben', actor: 'cal', handle: 'hdl', minute: 2 }),
  ]);
  expect(referrerOf('dyn')).toBe('ben');
});

test('the browser of a group belongs to who has signed it up', () => {
  const { identified, referrerOf } = expectOfFacts([
    { kind: 'touch', handle: 'hdl', name: 'code of ann', occurredAt: at(1) },
    signup({ person: 'dyn', actor: 'cal', handle: 'hdl', minute: 2 }),
    signup({ person: 'cal', handle: 'hdl', minute: 3 }),
    signup({ person: 'eve', handle: 'hdl', minute: 4 }),
  ]);
  expect([referrerOf('dyn'), referrerOf('cal'), referrerOf('eve')]).toEqual(['ann', 'ann', null]);
  expect([identified.get('dyn'), identified.get('cal'), identified.get('eve')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('nobody refers a group that they sign up, nor does another group of theirs', () => {
  const { referrerOf } = expectOfFacts([
    signup({ person: 'dyn', by: 'ann', actor: 'ann', minute: 1 }),
    signup({ person: 'acme', actor: 'cal', minute: 2 }),
    signup({ person: 'bolt', by: 'acme', actor: 'cal', minute: 3 }),
    signup({ person: 'cal', by: 'acme', minute: 4 }),
    signup({ person: 'eve', by: 'acme', minute: 5 }),
  ]);
  expect(['dyn', 'bolt', 'cal', 'eve'].map(referrerOf)).toEqual([null, null, null, 'acme']);
});

test('one human who opens ten workspaces pays once', () => {
  const groups = Array.from({ length: 10 }, (_, index) =>
    signup({ person: `group ${index}`, by: 'ann', actor: 'cal', minute: 2 + index }),
  );
  const { earned, referrals } = expectOfFacts([
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    ...groups,
  ]);
  expect(earned).toEqual(['signup cal signup of referrer: ann']);
  expect(referrals.size).toBe(11);
});

test('the purchase of a group counts for its own referral, then for its actor\u2019s, then for its creator\u2019s', () => {
  const people = [
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    signup({ person: 'eve', by: 'ben', minute: 1 }),
  ];
  const buys = (actor: string | null) =>
    expectOfFacts([
      ...people,
      signup({ person: 'dyn', actor: 'cal', by: 'ann', minute: 31 * 24 * 60 }),
      purchase('own', 'dyn', 31 * 24 * 60 + 1, actor),
    ]).earned.at(-1);
  expect(buys('eve')).toBe('purchase own purchase of referrer: ann');
  const without = (actor: string | null) =>
    expectOfFacts([
      ...people,
      // Too late for the referral of its creator.
      signup({ person: 'dyn', actor: 'cal', minute: 31 * 24 * 60 }),
      purchase('late', 'dyn', 31 * 24 * 60 + 1, actor),
    ]).earned.at(-1);
  expect(without('eve')).toBe('purchase late purchase of referrer: ben');
  expect(without(null)).toBe('purchase late purchase of referrer: ann');
});

const imported = (referee: string, referrer: string, minute: number): Fact => ({
  kind: 'import',
  referee,
  referrer,
  program: 'g0',
  at: at(minute),
});

test('an import earns nothing; what comes after it does', () => {
  const { earned } = expectOfFacts([
    purchase('waits', 'cal', 1),
    imported('cal', 'ann', 2),
    signup({ person: 'cal', by: 'ben', minute: 3 }),
    purchase('later', 'cal', 4),
  ]);
  expect(earned).toEqual([
    'purchase waits purchase of referrer: ann',
    'signup cal signup of referrer: ann',
    'purchase later purchase of referrer: ann',
  ]);
});

test('nobody is imported as referred twice', () => {
  const facts = [imported('cal', 'ann', 1), imported('cal', 'ben', 2)];
  expect(() => expectOfFacts(facts)).toThrow('cal was imported as referred by ben.');
});

test('what a referrer had brought before counts for a milestone, but reaches none by itself', () => {
  const milestone = { measure: 'referrals', at: '2', repeat: true } as const;
  const terms: Terms = { ...TERMS, calculation: 'milestone', durationMode: 'once', milestone };
  const rules = [{ ...rule('signup', 'referrer'), versions: [{ effectiveAt: START, terms }] }];
  const before = { referrals: 3n, purchases: 0n, revenue: 0n };
  const program = { ...PROGRAM, rules, starts: new Map([['ann', before]]) };
  const { earned } = expectOfFacts(
    [
      signup({ person: 'cal', by: 'ann', minute: 1 }),
      imported('dyn', 'ann', 2),
      signup({ person: 'dyn', minute: 3 }),
      signup({ person: 'eve', by: 'ann', minute: 4 }),
    ],
    [program],
  );
  expect(earned).toEqual([
    'signup cal signup of referrer at 4: ann',
    'signup eve signup of referrer at 6: ann',
  ]);
});

const BY_SUBSCRIPTION: ProgramFacts = {
  ...PROGRAM,
  policies: [
    {
      effectiveAt: START,
      policy: { model: 'last_touch', windowDays: 30, bindingTrigger: 'subscription' },
    },
  ],
};

const start = (person: string, minute: number): Fact => ({
  kind: 'start',
  person,
  subscription: 'first',
  occurredAt: at(minute),
});

test('a signup and the purchases after it wait for the start of a subscription, which earns for both', () => {
  const facts = [signup({ person: 'cal', by: 'ann', minute: 1 }), purchase('first', 'cal', 2)];
  expect(expectOfFacts(facts, [BY_SUBSCRIPTION]).earned).toEqual([]);
  const { earned, referrals } = expectOfFacts([...facts, start('cal', 3)], [BY_SUBSCRIPTION]);
  expect(earned).toEqual([
    'signup cal signup of referrer: ann',
    'purchase first purchase of referrer: ann',
  ]);
  expect(referrals.get('cal')?.boundAt).toBe(at(3));
});

test('a subscription that is reported before the signup settles it', () => {
  const { earned } = expectOfFacts(
    [start('cal', 1), purchase('first', 'cal', 2), signup({ person: 'cal', by: 'ann', minute: 3 })],
    [BY_SUBSCRIPTION],
  );
  expect(earned).toEqual([
    'signup cal signup of referrer: ann',
    'purchase first purchase of referrer: ann',
  ]);
});

test('a subscription that starts while the program is paused binds nobody', () => {
  const paused: ProgramFacts = {
    ...BY_SUBSCRIPTION,
    statuses: [
      { from: START, status: 'active' },
      { from: at(2), status: 'paused' },
    ],
  };
  const facts = [
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    purchase('first', 'cal', 2),
    start('cal', 3),
  ];
  expect(expectOfFacts(facts, [paused]).earned).toEqual([]);
});

test('a code that was typed comes before later clicks when a subscription starts', () => {
  const { referrerOf } = expectOfFacts(
    [
      signup({ person: 'cal', by: 'ann', minute: 1 }),
      { kind: 'touch', handle: 'hdl', name: 'code of ben', occurredAt: at(2) },
      { kind: 'identify', handle: 'hdl', person: 'cal' },
      start('cal', 3),
    ],
    [BY_SUBSCRIPTION],
  );
  expect(referrerOf('cal')).toBe('ann');
});

test('whoever has bought something else is a customer when a subscription starts', () => {
  const facts = (bought: Fact): Fact[] => [
    signup({ person: 'cal', minute: 1 }),
    bought,
    { kind: 'touch', handle: 'hdl', name: 'code of ben', occurredAt: at(3) },
    { kind: 'identify', handle: 'hdl', person: 'cal' },
    start('cal', 4),
  ];
  const other = { ...purchase('other', 'cal', 2), subscription: 'other' } as Fact;
  const own = { ...purchase('own', 'cal', 2), subscription: 'first' } as Fact;
  expect(expectOfFacts(facts(other), [BY_SUBSCRIPTION]).referrerOf('cal')).toBeNull();
  expect(expectOfFacts(facts(own), [BY_SUBSCRIPTION]).referrerOf('cal')).toBe('ben');
});

test('the purchase of a group waits for the signup of the group, and then counts for another', () => {
  const facts = [
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    purchase('early', 'dyn', 2, 'cal'),
  ];
  expect(expectOfFacts(facts).earned).toEqual(['signup cal signup of referrer: ann']);
  const { earned } = expectOfFacts([...facts, { kind: 'waited', purchase: 'early' }]);
  expect(earned.at(-1)).toBe('purchase early purchase of referrer: ann');
});

test('the same invoice of the same person earns once, and refunds of either purchase are refunds of the first', () => {
  const { earned, rewards } = expectOfFacts([
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    refundOf('again', 2, true),
    bill('first', 'cal', 3),
    bill('again', 'cal', 4),
    refundOf('first', 5),
  ]);
  expect(earned).toEqual([
    'signup cal signup of referrer: ann',
    'purchase first purchase of referrer: ann',
  ]);
  expect(rewards.get('purchase first purchase of referrer')?.netMinor).toBe(50n);
});

test('the same invoice of another person is another purchase', () => {
  const { earned } = expectOfFacts([
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    signup({ person: 'dan', by: 'ben', minute: 1 }),
    bill('first', 'cal', 2),
    bill('other', 'dan', 3),
  ]);
  expect(earned).toContain('purchase other purchase of referrer: ben');
});

const CASH: ProgramFacts = { ...PROGRAM, paysCash: true };
const first = 'signup cal signup of referrer';
const second = 'signup dan signup of referrer';
const paid = (reward: string, amountMinor: bigint): Fact => ({
  kind: 'paid',
  payout: `payout of ${reward}`,
  lines: [{ reward, amountMinor }],
});

test('a payout that was on its way when its reward was voided is nobody\u2019s debt before it arrives', () => {
  const signups = [signup({ person: 'cal', by: 'ann', minute: 1 })];
  const voided: Fact = { kind: 'void', reward: first };
  const later = signup({ person: 'dan', by: 'ann', minute: 2 });
  const mostOf = (...facts: Fact[]) => expectOfFacts(facts, [CASH]).mostOwed.get('ann');
  expect(mostOf(...signups, voided, later, paid(second, 100n), paid(first, 100n))).toBe(200n);
  // It has arrived before the other is earned, so it is a debt by then.
  expect(mostOf(...signups, voided, paid(first, 100n), later)).toBe(100n);
  // Nothing was on its way.
  expect(mostOf(...signups, voided, later)).toBe(100n);
  // Nor can more be on its way than was ever owed.
  expect(mostOf(...signups, voided, later, paid(first, 150n))).toBe(200n);
});

const review = (key: string, person: string, minute: number): Fact => ({
  kind: 'custom',
  key,
  person,
  occurredAt: at(minute),
  receivedAt: at(minute),
});

const LOYALTY: ProgramFacts = {
  ...PROGRAM,
  key: 'g1',
  isLoyalty: true,
  policies: [],
  statuses: [
    { from: START, status: 'active' },
    { from: at(10), status: 'paused' },
  ],
  rules: [
    { ...rule('purchase', 'referee'), key: 'own purchase' },
    { ...rule('custom_review', 'referee'), key: 'own review' },
  ],
};

test('members of a loyalty program earn for what they do themselves, and not while it is paused', () => {
  const { earned } = expectOfFacts(
    [
      purchase('1', 'cal', 1),
      review('1', 'cal', 2),
      review('2', 'cal', 3),
      review('3', 'cal', 11),
      purchase('2', 'cal', 12),
    ],
    [PROGRAM, LOYALTY],
  );
  expect(earned).toEqual([
    'purchase 1 own purchase: cal',
    'custom_review 1 own review: cal',
    'custom_review 2 own review: cal',
  ]);
});

test('an event of the caller counts for the referral that there is, and a rejected one leaves what members earn', () => {
  const program = { ...PROGRAM, rules: [rule('custom_review', 'referrer')] };
  const { rewards } = expectOfFacts(
    [
      review('1', 'cal', 1),
      signup({ person: 'cal', by: 'ann', minute: 2 }),
      review('2', 'cal', 3),
      { kind: 'review', referee: 'cal', status: 'rejected' },
      review('3', 'cal', 4),
    ],
    [program, LOYALTY],
  );
  expect([...rewards.values()].map(({ key, status }) => `${key} ${status}`)).toEqual([
    'custom_review 1 own review pending',
    'custom_review 2 custom_review of referrer cancelled',
    'custom_review 2 own review pending',
    'custom_review 3 own review pending',
  ]);
});

test('a percentage is in the currency of its purchase, and revenue is in dollars only', () => {
  const rate: Terms = { ...TERMS, calculation: 'percentage', rateBps: 1_000 };
  const milestone: Terms = {
    ...TERMS,
    calculation: 'milestone',
    milestone: { measure: 'revenue', at: '1500', repeat: false },
  };
  const by = (key: string, terms: Terms): RuleFacts => ({
    ...rule('purchase', 'referrer'),
    key,
    versions: [{ effectiveAt: START, terms }],
  });
  const program = { ...PROGRAM, rules: [by('rate', rate), by('milestone', milestone)] };
  const inYen = { ...purchase('1', 'cal', 2), currency: 'JPY' } as Fact;
  const { rewards } = expectOfFacts(
    [
      signup({ person: 'cal', by: 'ann', minute: 1 }),
      inYen,
      purchase('2', 'cal', 3),
      purchase('3', 'cal', 4),
    ],
    [program],
  );
  expect([...rewards.values()].map(({ key, currency }) => `${key} in ${currency}`)).toEqual([
    'purchase 1 rate in JPY',
    'purchase 2 rate in USD',
    'purchase 3 rate in USD',
    'purchase 3 milestone at 1500 in USD',
  ]);
});

const suspend = (person: string): Fact => ({ kind: 'suspend', person });
const reinstate = (person: string): Fact => ({ kind: 'reinstate', person });

test('a partner who is suspended refers nobody, and whoever types their code is turned away', () => {
  const { referrerOf, turnedAway } = expectOfFacts([
    suspend('ann'),
    signup({ person: 'cal', by: 'ann', minute: 1 }),
    reinstate('ann'),
    signup({ person: 'dan', by: 'ann', minute: 2 }),
  ]);
  expect([referrerOf('cal'), referrerOf('dan')]).toEqual([null, 'ann']);
  expect([...turnedAway]).toEqual(['cal']);
});

test('a click on a link of a suspended partner from before gives way to an older one of somebody else', () => {
  const touch = (person: string, minute: number): Fact => ({
    kind: 'touch',
    handle: 'hdl_1',
    name: `code of ${person}`,
    occurredAt: at(minute),
  });
  const { referrerOf, turnedAway } = expectOfFacts([
    touch('ben', 1),
    touch('ann', 2),
    suspend('ann'),
    signup({ person: 'cal', handle: 'hdl_1', minute: 3 }),
  ]);
  expect(referrerOf('cal')).toBe('ben');
  expect([...turnedAway]).toEqual([]);
});

test('nobody is turned away whose code is of no use for another reason', () => {
  const program = { ...PROGRAM, statuses: [{ from: START, status: 'paused' }] };
  const { turnedAway } = expectOfFacts(
    [suspend('ann'), signup({ person: 'cal', by: 'ann', minute: 1 })],
    [program],
  );
  expect([...turnedAway]).toEqual([]);
});

test('a partner who is suspended earns nothing, and the person whom they referred does', () => {
  const program = { ...PROGRAM, rules: [...PROGRAM.rules, rule('purchase', 'referee')] };
  const { earned } = expectOfFacts(
    [
      signup({ person: 'cal', by: 'ann', minute: 1 }),
      suspend('ann'),
      purchase('1', 'cal', 2),
      reinstate('ann'),
      purchase('2', 'cal', 3),
    ],
    [program],
  );
  expect(earned).toEqual([
    'signup cal signup of referrer: ann',
    'purchase 1 purchase of referee: cal',
    'purchase 2 purchase of referrer: ann',
    'purchase 2 purchase of referee: cal',
  ]);
});

test('a milestone that was reached during a suspension is not earned after it', () => {
  const milestone: Terms = {
    ...TERMS,
    calculation: 'milestone',
    milestone: { measure: 'purchases', at: '2', repeat: true },
  };
  const program = {
    ...PROGRAM,
    rules: [
      {
        ...rule('purchase', 'referrer'),
        key: 'bonus',
        versions: [{ effectiveAt: START, terms: milestone }],
      },
    ],
  };
  const { earned } = expectOfFacts(
    [
      signup({ person: 'cal', by: 'ann', minute: 1 }),
      purchase('1', 'cal', 2),
      suspend('ann'),
      purchase('2', 'cal', 3),
      reinstate('ann'),
      purchase('3', 'cal', 4),
      purchase('4', 'cal', 5),
    ],
    [program],
  );
  expect(earned).toEqual(['purchase 4 bonus at 4: ann']);
});

test('no click on the link of a suspended partner is recorded', () => {
  const click: Fact = { kind: 'touch', handle: 'hdl_1', name: 'code of ann', occurredAt: at(1) };
  expect(() => expectOfFacts([suspend('ann'), click])).toThrow('while ann was suspended');
});
