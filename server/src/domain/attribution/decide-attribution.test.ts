import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aPolicy, aProgram, FOUNDED_AT } from '../../../test/program-book.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../platform/kit/instant.ts';
import type { BookedProgram, ProgramBook } from '../programs/program-book.ts';
import {
  type AttributionCase,
  awaitsSubscription,
  type Candidate,
  decideAttribution,
  isSelfReferral,
  type JudgedCandidate,
  type ReferrerFacts,
  refuseReferred,
} from './decide-attribution.ts';

const AT = '2026-11-15T09:30:00.000Z';
const ago = (ms: number) => addMs(AT, -ms);

const everybody: ReferrerFacts = {
  enrollmentAt: (referrerId, programId) => `enr of ${referrerId} in ${programId}`,
  isAvailable: () => true,
  creatorOf: () => null,
};
const bookOf = (...programs: BookedProgram[]): ProgramBook => ({
  programs: new Map(programs.map((program) => [program.id, program])),
});
const touch = (touchId: string, changes: Partial<Candidate> = {}): Candidate => ({
  touchId,
  programId: 'prg',
  referrerParticipantId: `owner of ${touchId}`,
  occurredAt: ago(DAY_MS),
  ...changes,
});
const signup = (
  groups: readonly (readonly Candidate[])[],
  changes: Partial<AttributionCase> = {},
): AttributionCase => ({
  participantId: 'me',
  actorParticipantId: null,
  occurredAt: AT,
  trigger: 'signup',
  groups,
  isExistingCustomer: false,
  ...changes,
});

function decide(
  input: AttributionCase,
  programs: BookedProgram[] = [aProgram()],
  referrers: ReferrerFacts = everybody,
) {
  const decision = decideAttribution(bookOf(...programs), referrers, input);
  return { ...decision, touchId: decision.selected?.candidate.touchId ?? null };
}

test('a click binds to its referrer, under the enrollment and the policy of that time', () => {
  const click = touch('tch');
  expect(decideAttribution(bookOf(aProgram()), everybody, signup([[click]]))).toEqual({
    selected: {
      candidate: click,
      enrollmentId: 'enr of owner of tch in prg',
      policy: aPolicy(),
    },
    reason: 'attributed',
    candidates: [{ ...click, verdict: 'selected', reason: null }],
  });
});

test('without a candidate there is no referral, and it says so', () => {
  for (const groups of [[], [[]], [[], [], []]]) {
    expect(decide(signup(groups))).toMatchObject({
      selected: null,
      reason: 'no_candidate',
      candidates: [],
    });
  }
});

test.each([
  ['last_touch', 'newer'],
  ['first_touch', 'older'],
] as const)(
  'under %s the %s touch wins, and the other one is outranked (D-ATTR-1)',
  (model, winner) => {
    const programs = [aProgram({ policies: [aPolicy({ model })] })];
    const older = touch('older', { occurredAt: ago(3 * DAY_MS) });
    const newer = touch('newer', { occurredAt: ago(2 * DAY_MS) });
    for (const touches of [
      [older, newer],
      [newer, older],
    ]) {
      const { touchId, candidates } = decide(signup([touches]), programs);
      expect(touchId).toBe(winner);
      expect(candidates.find((one) => one.touchId !== winner)).toMatchObject({
        verdict: 'rejected',
        reason: 'outranked',
      });
    }
  },
);

test('each Program picks by its own model, and among Programs the latest pick wins (D-ATTR-3)', () => {
  const programs = [
    aProgram({ id: 'first', policies: [aPolicy({ model: 'first_touch' })] }),
    aProgram({ id: 'last' }),
  ];
  const touches = [
    touch('a', { programId: 'first', occurredAt: ago(9 * DAY_MS) }),
    touch('b', { programId: 'first', occurredAt: ago(1 * DAY_MS) }),
    touch('c', { programId: 'last', occurredAt: ago(8 * DAY_MS) }),
    touch('d', { programId: 'last', occurredAt: ago(5 * DAY_MS) }),
  ];
  // The first Program is represented by its oldest touch, although it also has the newest of all.
  for (const listed of [touches, touches.toReversed()]) {
    expect(decide(signup([listed]), programs).touchId).toBe('d');
  }
});

test('a touch that is a candidate twice is listed once, with the better of its verdicts', () => {
  const late = touch('tch', { occurredAt: ago(31 * DAY_MS) });
  const good = touch('tch', { occurredAt: ago(DAY_MS) });
  const one = (groups: Candidate[][], programs?: BookedProgram[]) =>
    decide(signup(groups), programs).candidates.map(({ verdict, reason }) => [verdict, reason]);
  const within = [aProgram({ policies: [aPolicy({ windowDays: 30 })] })];
  for (const groups of [
    [[], [good], [late]],
    [[], [late], [good]],
  ]) {
    expect(one(groups, within)).toEqual([['selected', null]]);
  }
  const waiting = [
    aProgram({ policies: [aPolicy({ windowDays: 30, bindingTrigger: 'subscription' })] }),
  ];
  for (const groups of [
    [[], [good], [late]],
    [[], [late], [good]],
  ]) {
    expect(one(groups, waiting)).toEqual([['rejected', 'awaiting_subscription']]);
  }
  // Neither is better: the first stays.
  const foreign = touch('tch', { programId: 'unknown' });
  const [first] = one([[], [late], [foreign]], within);
  expect(one([[], [late]], within)).toEqual([first]);
});

test('touches of the same moment are told apart by the smaller id', () => {
  for (const model of ['last_touch', 'first_touch'] as const) {
    const programs = ['one', 'two'].map((id) => aProgram({ id, policies: [aPolicy({ model })] }));
    const same = [touch('b', { programId: 'one' }), touch('a', { programId: 'one' })];
    const across = [touch('b', { programId: 'one' }), touch('a', { programId: 'two' })];
    for (const touches of [same, same.toReversed(), across, across.toReversed()]) {
      expect(decide(signup([touches]), programs).touchId).toBe('a');
    }
  }
});

test('a window is inclusive at its exact end (D-ATTR-3)', () => {
  const programs = [aProgram({ policies: [aPolicy({ windowDays: 30 })] })];
  const at = (ms: number) => decide(signup([[touch('tch', { occurredAt: ago(ms) })]]), programs);
  expect(at(30 * DAY_MS).touchId).toBe('tch');
  expect(at(30 * DAY_MS + 1)).toMatchObject({ touchId: null, reason: 'outside_window' });
});

test('a touch after the fact did not cause it; five minutes are a matter of clocks (D-SUB-1)', () => {
  const at = (ms: number) => decide(signup([[touch('tch', { occurredAt: addMs(AT, ms) })]]));
  expect(at(5 * MINUTE_MS).touchId).toBe('tch');
  expect(at(5 * MINUTE_MS + 1)).toMatchObject({ touchId: null, reason: 'outside_window' });
});

test('the version of the policy in effect at the fact’s time applies (D-ATTR-1)', () => {
  const short = aPolicy({ id: 'short', version: 2, windowDays: 7, effectiveAt: AT });
  const programs = [aProgram({ policies: [aPolicy({ id: 'long' }), short] })];
  const click = touch('tch', { occurredAt: ago(10 * DAY_MS) });
  expect(decide(signup([[click]]), programs).reason).toBe('outside_window');
  const before = decide(signup([[click]], { occurredAt: ago(1) }), programs);
  expect(before.selected?.policy.id).toBe('long');
});

test.each(['draft', 'paused', 'ended', 'archived'] as const)(
  'a Program that is %s binds nobody',
  (status) => {
    const programs = [aProgram({ intervals: [{ status, startsAt: FOUNDED_AT, endsAt: null }] })];
    expect(decide(signup([[touch('tch')]]), programs).reason).toBe('program_not_active');
  },
);

test('referral and affiliate Programs bind, loyalty and unknown ones do not', () => {
  const reasonIn = (programs: BookedProgram[]) => decide(signup([[touch('tch')]]), programs).reason;
  expect(reasonIn([aProgram({ kind: 'referral' })])).toBe('attributed');
  expect(reasonIn([aProgram({ kind: 'affiliate' })])).toBe('attributed');
  expect(reasonIn([aProgram({ kind: 'loyalty' })])).toBe('program_not_active');
  expect(reasonIn([aProgram({ id: 'another' })])).toBe('program_not_active');
});

test('activity counts at the fact’s time, not at the touch’s', () => {
  const programs = [aProgram({ startDate: ago(1) })];
  const click = touch('tch', { occurredAt: ago(DAY_MS) });
  expect(decide(signup([[click]]), programs).touchId).toBe('tch');
  expect(decide(signup([[click]], { occurredAt: ago(2) }), programs).reason).toBe(
    'program_not_active',
  );
});

test('nobody refers themselves, nor the group they created (D-ATTR-4)', () => {
  const own = touch('own', { referrerParticipantId: 'me' });
  expect(decide(signup([[own]])).reason).toBe('self_referral');
  const creators = touch('creators', { referrerParticipantId: 'creator' });
  expect(decide(signup([[creators]], { actorParticipantId: 'creator' })).reason).toBe(
    'self_referral',
  );
  expect(decide(signup([[creators]])).touchId).toBe('creators');
  const team = touch('team', { referrerParticipantId: 'team' });
  const made = { ...everybody, creatorOf: (id: string) => (id === 'team' ? 'me' : null) };
  expect(decide(signup([[team]]), undefined, made).reason).toBe('self_referral');
  expect(decide(signup([[team]], { participantId: 'you' }), undefined, made).touchId).toBe('team');
});

test('a referrer must be there and enrolled at the fact’s time (D-ATTR-3)', () => {
  const gone = { ...everybody, isAvailable: (id: string) => id !== 'owner of tch' };
  expect(decide(signup([[touch('tch')]]), undefined, gone).reason).toBe('referrer_unavailable');
  const asked: string[][] = [];
  const left: ReferrerFacts = {
    ...everybody,
    enrollmentAt: (...question) => {
      asked.push(question);
      return null;
    },
  };
  expect(decide(signup([[touch('tch')]]), undefined, left).reason).toBe('enrollment_not_active');
  expect(asked).toEqual([['owner of tch', 'prg', AT]]);
});

test('who bought before is nobody’s referral, by click or by code (D-ATTR-5)', () => {
  const groups = [[touch('code')], [touch('click')]];
  expect(decide(signup(groups, { isExistingCustomer: true }))).toMatchObject({
    touchId: null,
    reason: 'existing_customer',
  });
});

test('a Program binds by what its policy says: signups wait for a subscription, and not the reverse (D-SUB-1)', () => {
  const bySubscription = [aProgram({ policies: [aPolicy({ bindingTrigger: 'subscription' })] })];
  const started = signup([[touch('tch')]], { trigger: 'subscription' });
  expect(decide(signup([[touch('tch')]]), bySubscription).reason).toBe('awaiting_subscription');
  expect(decide(started, bySubscription).touchId).toBe('tch');
  expect(decide(started)).toMatchObject({ touchId: null, reason: 'not_applicable' });
});

test('an earlier group wins over every later one, however old it is (D-ATTR-3, D-ATTR-7)', () => {
  const groups = ['code', 'group', 'actor', 'referral'].map((id, index) => [
    touch(id, { occurredAt: ago((80 - index) * DAY_MS) }),
  ]);
  for (const [index, [expected]] of groups.entries()) {
    const rest = groups.map((group, place) => (place < index ? [] : group));
    expect(decide(signup(rest)).touchId).toBe(expected?.touchId);
  }
});

test('a code that does not count falls back to clicks, and both are explained (D-ATTR-6)', () => {
  const own = touch('code', { referrerParticipantId: 'me' });
  const { touchId, reason, candidates } = decide(signup([[own], [touch('click')]]));
  expect([touchId, reason]).toEqual(['click', 'attributed']);
  expect(candidates.map((one) => [one.touchId, one.verdict, one.reason])).toEqual([
    ['code', 'rejected', 'self_referral'],
    ['click', 'selected', null],
  ]);
});

test('of several rejected candidates the latest tells the reason (D-EVT-1)', () => {
  const old = touch('old', { occurredAt: ago(200 * DAY_MS) });
  const own = touch('own', { referrerParticipantId: 'me', occurredAt: ago(DAY_MS) });
  for (const groups of [[[old, own]], [[own, old]], [[old], [own]], [[own], [old]]]) {
    expect(decide(signup(groups)).reason).toBe('self_referral');
  }
});

const candidates = fc
  .record({
    programId: fc.constantFrom('first', 'last', 'paused', 'late', 'nowhere'),
    referrerParticipantId: fc.constantFrom('me', 'creator', 'ann', 'bob', 'gone', 'left'),
    occurredAt: fc.integer({ min: -1, max: 100 }).map((days) => ago(days * DAY_MS)),
  })
  .map((one) => one as Omit<Candidate, 'touchId'>);
const grouped = fc
  .array(fc.array(candidates, { maxLength: 5 }), { maxLength: 4 })
  .map((groups) =>
    groups.map((group, place) =>
      group.map((one, index): Candidate => ({ ...one, touchId: `tch ${place} ${index}` })),
    ),
  );
const someBook = [
  aProgram({ id: 'first', policies: [aPolicy({ model: 'first_touch', windowDays: 30 })] }),
  aProgram({ id: 'last' }),
  aProgram({
    id: 'paused',
    intervals: [{ status: 'paused', startsAt: FOUNDED_AT, endsAt: null }],
  }),
  aProgram({ id: 'late', policies: [aPolicy({ bindingTrigger: 'subscription' })] }),
];
const someReferrers: ReferrerFacts = {
  enrollmentAt: (referrerId) => (referrerId === 'left' ? null : 'enr'),
  isAvailable: (referrerId) => referrerId !== 'gone',
  creatorOf: () => null,
};
const decideSome = (groups: readonly (readonly Candidate[])[]) =>
  decide(signup(groups, { actorParticipantId: 'creator' }), someBook, someReferrers);

/** Whether a typed code waits for a subscription: then no click counts. */
const isPromised = (
  groups: readonly (readonly unknown[])[],
  reasons: readonly (string | null)[],
): boolean => reasons.slice(0, groups[0]?.length ?? 0).includes('awaiting_subscription');

test('a typed code that waits for a subscription keeps every click from counting', () => {
  let seen = 0;
  fc.assert(
    fc.property(grouped, (groups) => {
      const decision = decideSome(groups);
      const reasons = decision.candidates.map((one) => one.reason);
      if (!isPromised(groups, reasons)) return;
      seen += 1;
      const typed = new Set(groups[0]?.map(({ touchId }) => touchId));
      expect(decision.touchId === null || typed.has(decision.touchId)).toBe(true);
      if (decision.touchId === null) expect(reasons).toContain(decision.reason);
    }),
    { numRuns: 500 },
  );
  expect(seen).toBeGreaterThan(20);
});

test('exactly the chosen candidate is selected, and every other one has a reason', () => {
  fc.assert(
    fc.property(grouped, (groups) => {
      const decision = decideSome(groups);
      expect(decision.candidates.map(({ touchId }) => touchId)).toEqual(
        groups.flat().map(({ touchId }) => touchId),
      );
      const selected = decision.candidates.filter(({ verdict }) => verdict === 'selected');
      expect(selected.map(({ touchId }) => touchId)).toEqual(
        decision.touchId === null ? [] : [decision.touchId],
      );
      for (const { verdict, reason } of decision.candidates) {
        expect(reason === null).toBe(verdict === 'selected');
      }
      expect(decision.reason === 'attributed').toBe(decision.selected !== null);
      const reasons = decision.candidates.map((one) => one.reason);
      if (!decision.selected && !isPromised(groups, reasons)) {
        expect(reasons).not.toContain('outranked');
      }
    }),
  );
});

test('whoever is chosen is there, enrolled, another person, in time and in a Program that binds now', () => {
  fc.assert(
    fc.property(grouped, (groups) => {
      const { selected } = decideSome(groups);
      if (!selected) return;
      const { candidate, policy } = selected;
      expect(['ann', 'bob']).toContain(candidate.referrerParticipantId);
      expect(['first', 'last']).toContain(candidate.programId);
      expect(candidate.occurredAt >= ago(policy.windowDays * DAY_MS)).toBe(true);
      expect(candidate.occurredAt <= AT).toBe(true);
    }),
  );
});

test('the order within a group decides nothing', () => {
  const shuffled = grouped.chain((groups) =>
    fc
      .tuple(...groups.map((group) => fc.shuffledSubarray(group, { minLength: group.length })))
      .map((others) => ({ groups, others })),
  );
  fc.assert(
    fc.property(shuffled, ({ groups, others }) => {
      expect(decideSome(others).touchId).toBe(decideSome(groups).touchId);
    }),
  );
});

test('what is rejected for itself never changes who is chosen', () => {
  fc.assert(
    fc.property(grouped, (groups) => {
      const decision = decideSome(groups);
      const good = new Set(
        decision.candidates
          .filter(({ reason }) => reason === null || reason === 'outranked')
          .map(({ touchId }) => touchId),
      );
      const reasons = decision.candidates.map((one) => one.reason);
      for (const { touchId } of groups[0] ?? []) {
        if (isPromised(groups, reasons)) good.add(touchId);
      }
      const rest = groups.map((group) => group.filter(({ touchId }) => good.has(touchId)));
      expect(decideSome(rest).touchId).toBe(decision.touchId);
    }),
  );
});

const judged = (reason: JudgedCandidate['reason']): JudgedCandidate => ({
  ...touch('tch'),
  verdict: reason === null ? 'selected' : 'rejected',
  reason,
});

test.each<[string, JudgedCandidate['reason'][], boolean]>([
  ['the only candidate does', ['awaiting_subscription'], true],
  ['a later candidate is no good', ['awaiting_subscription', 'program_not_active'], true],
  ['no candidate does', ['program_not_active', 'outside_window'], false],
  ['there is none', [], false],
  ['another one is selected', ['awaiting_subscription', null], false],
])('whether a signup waits for a subscription when %s', (_, reasons, awaits) => {
  expect(awaitsSubscription(reasons.map(judged))).toBe(awaits);
});

test('nobody else is selected, outranked or waited for once there is a referral (D-ATTR-2)', () => {
  const reasons = (...all: JudgedCandidate['reason'][]) =>
    refuseReferred(all.map(judged), 'of the referral').map(
      ({ verdict, reason }) => `${verdict} ${reason}`,
    );
  expect(reasons(null, 'awaiting_subscription', 'outranked')).toEqual(
    Array(3).fill('rejected already_referred'),
  );
  expect(reasons('self_referral', 'outside_window')).toEqual([
    'rejected self_referral',
    'rejected outside_window',
  ]);
  const own = { ...judged('awaiting_subscription'), touchId: 'of the referral' };
  expect(refuseReferred([judged('outranked'), own], 'of the referral')).toMatchObject([
    { verdict: 'rejected', reason: 'already_referred' },
    { verdict: 'selected', reason: null },
  ]);
});

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
