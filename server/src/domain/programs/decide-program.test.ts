import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../platform/kit/errors.ts';
import { addMs, DAY_MS, type Instant, MINUTE_MS, toInstant } from '../../platform/kit/instant.ts';
import { decideChange, decideNew, decideStatus, type ProgramFacts } from './decide-program.ts';
import { isActiveAt, type StatusInterval, statusAt } from './program-book.ts';
import { DEFAULT_CONFIG } from './program-config.ts';
import { effectiveStatus, PROGRAM_STATUSES, type ProgramStatus } from './program-status.ts';

const START = toInstant(Date.UTC(2026, 0, 1));
const LANDING = 'https://example.com/welcome';

const draft = (kind: ProgramFacts['kind'] = 'referral'): ProgramFacts =>
  decideNew(
    kind,
    { name: 'P', config: { brandConfig: { landingPageUrl: LANDING } } },
    'live',
    DEFAULT_CONFIG,
  );

const live = (now: Instant, intervals: readonly StatusInterval[] = []) =>
  ({ now, environment: 'live', intervals }) as const;

const ALLOWED = new Set([
  'draft>active',
  'draft>archived',
  'active>paused',
  'paused>active',
  'active>ended',
  'paused>ended',
  'ended>archived',
]);
/** Transitions that a later end date makes possible. */
const REOPENED = new Set(['ended>active', 'ended>paused']);

const refusal = (body: () => unknown): AppError => {
  try {
    body();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
};

test('a program moves exactly along the table, and staying is no move (D-PROG-2)', () => {
  for (const from of PROGRAM_STATUSES) {
    for (const to of PROGRAM_STATUSES) {
      const program = { ...draft(), status: from };
      if (from === to) {
        expect(decideStatus(program, to, START)).toEqual({ program, moves: [] });
      } else if (ALLOWED.has(`${from}>${to}`)) {
        expect(decideStatus(program, to, START)).toEqual({
          program: { ...program, status: to },
          moves: [{ status: to, at: START }],
        });
      } else {
        const error = refusal(() => decideStatus(program, to, START));
        expect([from, to, error.code, error.reason]).toEqual([
          from,
          to,
          'CONFLICT',
          'invalid_transition',
        ]);
      }
    }
  }
});

type Step = { readonly waitMs: number } & (
  | { readonly do: 'status'; readonly to: ProgramStatus }
  | { readonly do: 'startDate' | 'endDate'; readonly inMs: number | null }
);

const minutes = (min: number, max: number) =>
  fc.integer({ min, max }).map((count) => count * MINUTE_MS);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('status' as const),
      to: fc.constantFrom(...PROGRAM_STATUSES),
      waitMs: minutes(0, 3),
    }),
    fc.record({
      do: fc.constantFrom('startDate' as const, 'endDate' as const),
      inMs: fc.option(minutes(-5, 5)),
      waitMs: minutes(0, 3),
    }),
  ),
  { maxLength: 12 },
);

interface Played {
  readonly program: ProgramFacts;
  readonly now: Instant;
  readonly intervals: readonly StatusInterval[];
}

/** The state after a step, with intervals as the store keeps them. A refusal changes nothing. */
function carryOut(before: Played, step: Step): Played {
  const now = addMs(before.now, step.waitMs);
  try {
    const decided =
      step.do === 'status'
        ? decideStatus(before.program, step.to, now)
        : decideChange(
            before.program,
            { [step.do]: step.inMs === null ? null : addMs(now, step.inMs) },
            live(now, before.intervals),
          );
    const intervals = [...before.intervals];
    for (const { status, at } of decided.moves) {
      const last = intervals.pop() as StatusInterval;
      intervals.push({ ...last, endsAt: at }, { status, startsAt: at, endsAt: null });
    }
    return { program: decided.program, now, intervals };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...before, now };
  }
}

const untouched = (): Played => ({
  program: draft(),
  now: START,
  intervals: [{ status: 'draft', startsAt: START, endsAt: null }],
});

/** Runs the steps and logs every status. */
function play(script: readonly Step[]) {
  const played = script.reduce(carryOut, untouched());
  const log = played.intervals.map(({ status, startsAt }) => ({ status, at: startsAt }));
  return { ...played, log };
}

const activityOf = ({ program, intervals }: Played) => ({
  intervals,
  startDate: program.startDate,
  endDate: program.endDate,
});

test('no change of status or dates changes what is said of the time before it', () => {
  // Every half minute, for longer than the longest script takes.
  const moments = Array.from({ length: 100 }, (_, n) => addMs(START, (n * MINUTE_MS) / 2));
  // Dates could change the past only while a program runs, begun or yet to begin.
  const running = fc
    .tuple(minutes(1, 9), steps)
    .map(([inMs, rest]): Step[] => [
      { do: 'startDate', inMs, waitMs: 0 },
      { do: 'status', to: 'active', waitMs: 0 },
      ...rest,
    ]);
  fc.assert(
    fc.property(fc.oneof(steps, running), (script) => {
      let before = untouched();
      for (const step of script) {
        const after = carryOut(before, step);
        const [is, was] = [activityOf(after), activityOf(before)];
        assert.ok(after.now <= (moments.at(-1) ?? ''));
        for (const at of moments) {
          if (at >= after.now) break;
          assert.equal(statusAt(is, at), statusAt(was, at), at);
          assert.equal(isActiveAt(is, at), isActiveAt(was, at), at);
        }
        before = after;
      }
    }),
    { numRuns: 1_000 },
  );
});

test('whatever is asked in whatever order, no move leaves the table and no time runs backwards', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const { log, program } = play(script);
      for (const [index, next] of log.entries()) {
        const before = log[index - 1];
        if (!before) continue;
        const move = `${before.status}>${next.status}`;
        assert.ok(ALLOWED.has(move) || REOPENED.has(move), move);
        assert.ok(next.at >= before.at);
      }
      expect(log.at(-1)?.status).toBe(program.status);
    }),
  );
});

test('“active at t” from the intervals is what a replay of the moves says (D-PROG-2)', () => {
  fc.assert(
    fc.property(steps, fc.nat(40), (script, minute) => {
      const played = play(script);
      const { startDate, endDate } = played.program;
      const at = addMs(START, minute * MINUTE_MS);
      let replayed: ProgramStatus = 'draft';
      for (const move of played.log) if (move.at <= at) replayed = move.status;
      const isOver = endDate !== null && at >= endDate;
      const expected = replayed === 'active' && !isOver && (startDate === null || at >= startDate);
      expect(isActiveAt(activityOf(played), at)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test('before it existed a program had no status', () => {
  const { intervals } = play([]);
  const activity = { intervals, startDate: null, endDate: null };
  expect(statusAt(activity, addMs(START, -1))).toBeUndefined();
  expect(statusAt(activity, START)).toBe('draft');
});

test('an end date ends what runs from that very moment on, and no draft or archive', () => {
  const endDate = addMs(START, DAY_MS);
  for (const status of PROGRAM_STATUSES) {
    const runs = status === 'active' || status === 'paused';
    expect(effectiveStatus({ status, endDate }, addMs(endDate, -1))).toBe(status);
    expect(effectiveStatus({ status, endDate }, endDate)).toBe(runs ? 'ended' : status);
  }
});

test('an end that came with its date is written down at that date by the next move', () => {
  const endDate = addMs(START, DAY_MS);
  const program: ProgramFacts = { ...draft(), status: 'active', endDate };
  const now = addMs(endDate, DAY_MS);
  expect(decideStatus(program, 'archived', now).moves).toEqual([
    { status: 'ended', at: endDate },
    { status: 'archived', at: now },
  ]);
  expect(refusal(() => decideStatus(program, 'paused', now)).reason).toBe('invalid_transition');
});

test('a later end reopens what its date ended, and the time between stays ended (D-AM-4)', () => {
  const endDate = addMs(START, DAY_MS);
  const now = addMs(endDate, DAY_MS);
  const later = addMs(now, DAY_MS);
  const ran = { startsAt: START, endsAt: endDate };
  for (const status of ['active', 'paused'] as const) {
    const running: ProgramFacts = { ...draft(), status, endDate };
    const opened = decideChange(running, { endDate: later }, live(now));
    expect(opened.program).toEqual({ ...running, endDate: later });
    expect(opened.moves).toEqual([
      { status: 'ended', at: endDate },
      { status, at: now },
    ]);
    const written = [
      { status, ...ran },
      { status: 'ended' as const, startsAt: endDate, endsAt: null },
    ];
    const ended: ProgramFacts = { ...running, status: 'ended' };
    const again = decideChange(ended, { endDate: null }, live(now, written));
    expect(again).toEqual({
      program: { ...running, endDate: null },
      moves: [{ status, at: now }],
    });
    const activity = {
      startDate: null,
      endDate: later,
      intervals: [
        { status, ...ran },
        { status: 'ended' as const, startsAt: endDate, endsAt: now },
        { status, startsAt: now, endsAt: null },
      ],
    };
    const stood = [START, endDate, now, later].map((at) => statusAt(activity, at));
    expect(stood).toEqual([status, 'ended', status, 'ended']);
  }
});

test('what is reopened is what it was last, however often it changed before', () => {
  const at = [0, 1, 2, 3].map((days) => addMs(START, days * DAY_MS)) as [
    Instant,
    Instant,
    Instant,
    Instant,
  ];
  const intervals: StatusInterval[] = [
    { status: 'draft', startsAt: at[0], endsAt: at[1] },
    { status: 'active', startsAt: at[1], endsAt: at[2] },
    { status: 'paused', startsAt: at[2], endsAt: at[3] },
    { status: 'ended', startsAt: at[3], endsAt: null },
  ];
  const ended: ProgramFacts = { ...draft(), status: 'ended', endDate: at[3] };
  const now = addMs(at[3], DAY_MS);
  const { program } = decideChange(ended, { endDate: null }, live(now, intervals));
  expect(program.status).toBe('paused');
});

test('what lost its landing page after its end is not reopened to run, but to be paused', () => {
  const endDate = addMs(START, DAY_MS);
  const now = addMs(endDate, DAY_MS);
  const reopen = (status: 'active' | 'paused') => {
    const bare: ProgramFacts = { ...draft(), status, endDate, config: DEFAULT_CONFIG };
    return decideChange(bare, { endDate: null }, live(now));
  };
  const error = refusal(() => reopen('active'));
  expect([error.code, error.reason]).toEqual(['CONFLICT', 'invalid_transition']);
  expect(reopen('paused').program.status).toBe('paused');
});

test('what was ended by its status stays ended, also after its end date', () => {
  const endDate = addMs(START, DAY_MS);
  const program: ProgramFacts = { ...draft(), status: 'ended', endDate };
  const intervals: StatusInterval[] = [
    { status: 'active', startsAt: START, endsAt: addMs(START, MINUTE_MS) },
    { status: 'ended', startsAt: addMs(START, MINUTE_MS), endsAt: null },
  ];
  for (const now of [addMs(START, 2 * MINUTE_MS), addMs(endDate, DAY_MS)]) {
    const change = { endDate: addMs(endDate, 9 * DAY_MS) };
    const error = refusal(() => decideChange(program, change, live(now, intervals)));
    expect([error.code, error.reason]).toEqual(['CONFLICT', 'invalid_transition']);
  }
});

test('the dates of what is over stay, and sending them back as they are is fine', () => {
  const endDate = addMs(START, DAY_MS);
  const program: ProgramFacts = { ...draft(), status: 'active', endDate };
  for (const change of [{ endDate: START }, { startDate: START }]) {
    const error = refusal(() => decideChange(program, change, live(endDate)));
    expect([error.code, error.reason]).toEqual(['CONFLICT', 'invalid_transition']);
  }
  const renamed = decideChange(program, { endDate, name: 'Q' }, live(endDate));
  expect(renamed.program).toMatchObject({ name: 'Q', status: 'ended' });
});

test('an end date in the past ends a running program now, not in its past', () => {
  const program: ProgramFacts = { ...draft(), status: 'active' };
  const now = addMs(START, DAY_MS);
  const decided = decideChange(program, { endDate: START }, live(now));
  expect(decided.program).toMatchObject({ status: 'ended', endDate: now });
  expect(decided.moves).toEqual([{ status: 'ended', at: now }]);
});

test('a program that has begun keeps its start; one that is yet to begin may begin later, or now', () => {
  const now = addMs(START, DAY_MS);
  const later = addMs(now, DAY_MS);
  const issuesOf = (startDate: Instant | null, asked: Instant | null) => {
    for (const status of ['active', 'paused'] as const) {
      const program: ProgramFacts = { ...draft(), status, startDate };
      const error = refusal(() => decideChange(program, { startDate: asked }, live(now)));
      expect([error.code, error.details?.map(({ path }) => path)]).toEqual([
        'INVALID_REQUEST',
        ['startDate'],
      ]);
    }
  };
  for (const begun of [null, START, now]) {
    for (const asked of [null, addMs(START, 1), later]) if (asked !== begun) issuesOf(begun, asked);
  }
  for (const asked of [null, START, addMs(now, -1)]) issuesOf(later, asked);
  const ahead: ProgramFacts = { ...draft(), status: 'active', startDate: later };
  for (const startDate of [now, addMs(later, 1)]) {
    expect(decideChange(ahead, { startDate }, live(now)).program.startDate).toBe(startDate);
  }
  expect(decideChange(draft(), { startDate: START }, live(now)).program.startDate).toBe(START);
});

test('an end must come after the start, whichever of the two is moved', () => {
  const dates = { startDate: START, endDate: addMs(START, DAY_MS) };
  const program: ProgramFacts = { ...draft(), ...dates };
  const issuesOf = (change: Parameters<typeof decideChange>[1]) =>
    refusal(() => decideChange(program, change, live(START))).details;
  expect(issuesOf({ endDate: START })).toEqual([
    { path: 'endDate', issue: 'must be after startDate' },
  ]);
  expect(issuesOf({ startDate: dates.endDate })).toEqual([
    { path: 'startDate', issue: 'must be before endDate' },
  ]);
  expect(decideChange(program, { endDate: addMs(START, 1) }, live(START)).program.endDate).toBe(
    addMs(START, 1),
  );
});

test('a new program is a draft whose dates and settings are sound', () => {
  const make = (change: Partial<Parameters<typeof decideNew>[1]>) =>
    decideNew('referral', { name: 'P', ...change }, 'live', DEFAULT_CONFIG);
  const endDate = addMs(START, DAY_MS);
  expect(make({ startDate: START, endDate })).toEqual({
    kind: 'referral',
    name: 'P',
    status: 'draft',
    startDate: START,
    endDate,
    config: DEFAULT_CONFIG,
  });
  const landingPageUrl = 'http://example.com';
  const error = refusal(() =>
    make({ startDate: endDate, endDate: START, config: { brandConfig: { landingPageUrl } } }),
  );
  expect(error.code).toBe('INVALID_REQUEST');
  expect(error.details).toEqual([
    { path: 'config.brandConfig.landingPageUrl', issue: expect.stringContaining('https') },
    { path: 'endDate', issue: 'must be after startDate' },
  ]);
});

test('settings are checked when they change: those of before hinder no other change', () => {
  const landingPageUrl = 'http://example.com';
  const brandConfig = { ...DEFAULT_CONFIG.brandConfig, landingPageUrl };
  const program: ProgramFacts = { ...draft(), config: { ...DEFAULT_CONFIG, brandConfig } };
  expect(decideChange(program, { name: 'Q' }, live(START)).program.name).toBe('Q');
  const error = refusal(() => decideChange(program, { config: {} }, live(START)));
  expect(error.details?.map(({ path }) => path)).toEqual(['config.brandConfig.landingPageUrl']);
});

test('activation needs a landing page, except for loyalty, and an end that is still to come', () => {
  const bare = { ...draft(), config: DEFAULT_CONFIG };
  const error = refusal(() => decideStatus(bare, 'active', START));
  expect(error).toMatchObject({
    code: 'CONFLICT',
    reason: 'invalid_transition',
    message:
      'The program cannot be activated: config.brandConfig.landingPageUrl is required to activate the program.',
    details: [{ path: 'config.brandConfig.landingPageUrl' }],
  });
  expect(decideStatus({ ...bare, kind: 'loyalty' }, 'active', START).program.status).toBe('active');
  const over = { ...draft(), endDate: START };
  expect(refusal(() => decideStatus(over, 'active', START)).details).toEqual([
    { path: 'endDate', issue: 'has passed' },
  ]);
});

test('a running program keeps a landing page; a draft may lose it', () => {
  const removals = [
    { brandConfig: { landingPageUrl: '' } },
    { brandConfig: { landingPageUrl: null } },
    { brandConfig: null },
    null,
  ];
  for (const config of removals) {
    for (const status of ['active', 'paused'] as const) {
      const error = refusal(() => decideChange({ ...draft(), status }, { config }, live(START)));
      expect([error.code, error.details?.[0]?.path]).toEqual([
        'INVALID_REQUEST',
        'config.brandConfig.landingPageUrl',
      ]);
    }
    const loosened = decideChange(draft(), { config }, live(START));
    expect(loosened.program.config.brandConfig.landingPageUrl).toBe('');
  }
});
