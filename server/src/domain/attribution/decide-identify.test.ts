import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../test/rounds.ts';
import { addMs, DAY_MS } from '../../platform/kit/instant.ts';
import {
  type Handle,
  type IdentifyCommand,
  type IdentifyOutcome,
  type IdentifyRefusal,
  type IdentitySlice,
  identify,
  KEYS_PER_HANDLE_MAX,
  type Reference,
} from './decide-identify.ts';

const EARLIER = '2026-11-15T09:00:00.000Z';
const NOW = '2026-11-15T09:30:00.000Z';
const LATER = '2026-11-15T10:00:00.000Z';

const HANDLES = {
  none: null,
  open: { participantId: null, identifiedAt: null },
  adas: { participantId: 'ada', identifiedAt: EARLIER },
  bobs: { participantId: 'bob', identifiedAt: EARLIER },
  'an erased one’s': { participantId: null, identifiedAt: EARLIER },
} as const;

const KEYS = {
  none: null,
  live: { handleId: 'h', expiresAt: LATER, participantId: null, resolvedAt: null },
  'live elsewhere': { handleId: 'x', expiresAt: LATER, participantId: null, resolvedAt: null },
  expired: { handleId: 'h', expiresAt: NOW, participantId: null, resolvedAt: null },
  'expired elsewhere': { handleId: 'x', expiresAt: NOW, participantId: null, resolvedAt: null },
  adas: { handleId: 'h', expiresAt: LATER, participantId: 'ada', resolvedAt: EARLIER },
  'adas, past its end': {
    handleId: 'h',
    expiresAt: EARLIER,
    participantId: 'ada',
    resolvedAt: EARLIER,
  },
  bobs: { handleId: 'h', expiresAt: LATER, participantId: 'bob', resolvedAt: EARLIER },
  'an erased one’s': {
    handleId: 'h',
    expiresAt: LATER,
    participantId: null,
    resolvedAt: EARLIER,
  },
} as const;

type HandleState = keyof typeof HANDLES;
type KeyState = keyof typeof KEYS;

function sliceOf(handle: HandleState, key: KeyState = 'none'): IdentitySlice {
  const handles = new Map<string, Handle>([
    ['x', { id: 'x', participantId: null, identifiedAt: null }],
  ]);
  const references = new Map<string, Reference>();
  if (HANDLES[handle]) handles.set('h', { id: 'h', ...HANDLES[handle] });
  if (KEYS[key]) references.set('k', { key: 'k', ...KEYS[key] });
  return {
    handles,
    references,
    keyCounts: new Map(),
    changed: { handles: new Set(), references: new Set() },
  };
}

const copyOf = (slice: IdentitySlice) => structuredClone(slice);

function expectRefusal(
  slice: IdentitySlice,
  command: IdentifyCommand<string | null>,
  refused: IdentifyRefusal,
): void {
  const before = copyOf(slice);
  expect(identify(slice, command, NOW)).toEqual({ refused });
  expect(slice).toEqual(before);
}

const resultOf = (outcome: IdentifyOutcome) => {
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome.identification;
};

describe('a handle with a person (D-IDENT-2)', () => {
  const command = (person: string | null) =>
    ({ shape: 'handle_person', handle: 'h', person }) as const;

  test.each<[HandleState, string | null, IdentifyRefusal]>([
    ['none', 'ada', 'not_a_handle'],
    ['none', null, 'not_a_handle'],
    ['open', null, 'participant_deleted'],
    ['adas', null, 'participant_deleted'],
    ['an erased one’s', null, 'participant_deleted'],
    ['bobs', 'ada', 'handle_already_identified'],
    ['an erased one’s', 'ada', 'handle_already_identified'],
  ])('handle %s, person %s: %s', (handle, person, refused) => {
    expectRefusal(sliceOf(handle), command(person), refused);
  });

  test('an open one becomes theirs now', () => {
    const slice = sliceOf('open');
    expect(resultOf(identify(slice, command('ada'), NOW))).toEqual({
      identified: true,
      participantId: 'ada',
      identifiedAt: NOW,
      reference: null,
    });
    expect(slice.handles.get('h')).toEqual({ id: 'h', participantId: 'ada', identifiedAt: NOW });
    expect(slice.changed.handles).toEqual(new Set(['h']));
  });

  test('their own stays theirs since the first time, and nothing is to be saved', () => {
    const slice = sliceOf('adas');
    expect(resultOf(identify(slice, command('ada'), NOW)).identifiedAt).toBe(EARLIER);
    expect(slice.changed.handles.size).toBe(0);
  });
});

describe('a handle with a key (D-IDENT-3)', () => {
  const command = (expiresAt: string | null = null) =>
    ({ shape: 'handle_key', handle: 'h', key: 'k', expiresAt }) as const;
  const everyKey = Object.keys(KEYS) as KeyState[];

  test.each(everyKey)('no handle, key %s: not_a_handle', (key) => {
    expectRefusal(sliceOf('none', key), command(), 'not_a_handle');
  });

  const handles: HandleState[] = ['open', 'adas', 'bobs', 'an erased one’s'];
  const spent: [KeyState, IdentifyRefusal][] = [
    ['live elsewhere', 'reference_bound'],
    ['expired', 'reference_expired'],
    ['expired elsewhere', 'reference_expired'],
    ['adas', 'reference_resolved'],
    ['adas, past its end', 'reference_resolved'],
    ['bobs', 'reference_resolved'],
    ['an erased one’s', 'reference_resolved'],
  ];
  const closed: [HandleState, KeyState, IdentifyRefusal][] = (
    ['adas', 'bobs', 'an erased one’s'] as const
  ).flatMap((handle) =>
    (['none', 'live'] as const).map((key): [HandleState, KeyState, IdentifyRefusal] => [
      handle,
      key,
      'handle_already_identified',
    ]),
  );
  test.each([
    ...handles.flatMap((handle) =>
      spent.map(([key, refused]): [HandleState, KeyState, IdentifyRefusal] => [
        handle,
        key,
        refused,
      ]),
    ),
    ...closed,
  ])('handle %s, key %s: %s', (handle, key, refused) => {
    expectRefusal(sliceOf(handle, key), command(), refused);
  });

  test('a new key stands for an open handle for 24 hours unless told (D-IDENT-5)', () => {
    const slice = sliceOf('open');
    expect(resultOf(identify(slice, command(), NOW))).toEqual({
      identified: false,
      participantId: null,
      identifiedAt: null,
      reference: { status: 'pending', expiresAt: addMs(NOW, DAY_MS), resolvedAt: null },
    });
    expect(slice.references.get('k')).toMatchObject({ handleId: 'h', resolvedAt: null });
    expect(slice.changed).toEqual({ handles: new Set(), references: new Set(['k']) });
    expect(slice.handles.get('h')?.identifiedAt).toBeNull();
  });

  test('the same pair while the key lives gives the first result, whatever end is asked for', () => {
    for (const end of [null, addMs(NOW, 1), EARLIER, addMs(NOW, 1_000 * DAY_MS)]) {
      const slice = sliceOf('open', 'live');
      const { reference } = resultOf(identify(slice, command(end), NOW));
      expect(reference).toEqual({ status: 'pending', expiresAt: LATER, resolvedAt: null });
      expect(slice.changed.references.size).toBe(0);
    }
  });

  test.each([
    [addMs(NOW, 1), true],
    [addMs(NOW, 90 * DAY_MS), true],
    [NOW, false],
    [addMs(NOW, -1), false],
    [addMs(NOW, 90 * DAY_MS + 1), false],
  ])('a new key may end at %s: %s', (end, isPossible) => {
    if (!isPossible) return expectRefusal(sliceOf('open'), command(end), 'expiry_out_of_range');
    const { reference } = resultOf(identify(sliceOf('open'), command(end), NOW));
    expect(reference?.expiresAt).toBe(end);
  });

  test('an impossible end is told before a missing handle (D-ERR-5)', () => {
    expectRefusal(sliceOf('none'), command(NOW), 'expiry_out_of_range');
  });

  test('a handle carries 20 keys; the 21st is refused, and a repeat of the 20th is not', () => {
    const slice = sliceOf('open');
    const bind = (n: number) =>
      identify(slice, { shape: 'handle_key', handle: 'h', key: `k${n}`, expiresAt: null }, NOW);
    for (let n = 1; n <= KEYS_PER_HANDLE_MAX; n += 1) expect(bind(n)).not.toHaveProperty('refused');
    expect(bind(21)).toEqual({ refused: 'limit_reached' });
    expect(bind(20)).not.toHaveProperty('refused');
    expect(slice.references.size).toBe(20);
  });
});

describe('a key with a person (D-IDENT-4)', () => {
  const command = (person: string | null) => ({ shape: 'key_person', key: 'k', person }) as const;

  test.each<[KeyState, HandleState, string | null, IdentifyRefusal]>([
    ['none', 'open', 'ada', 'unknown_reference'],
    ['none', 'open', null, 'unknown_reference'],
    ['live', 'open', null, 'participant_deleted'],
    ['expired', 'open', null, 'participant_deleted'],
    ['adas', 'adas', null, 'participant_deleted'],
    ['an erased one’s', 'an erased one’s', null, 'participant_deleted'],
    ['live', 'none', 'ada', 'not_a_handle'],
    ['live', 'bobs', 'ada', 'handle_already_identified'],
    ['live', 'an erased one’s', 'ada', 'handle_already_identified'],
    ['expired', 'open', 'ada', 'reference_expired'],
    ['expired', 'adas', 'ada', 'reference_expired'],
    ['expired', 'bobs', 'ada', 'reference_expired'],
    ['expired', 'none', 'ada', 'reference_expired'],
    ['adas', 'adas', 'bob', 'reference_resolved'],
    ['adas, past its end', 'adas', 'bob', 'reference_resolved'],
    ['bobs', 'bobs', 'ada', 'reference_resolved'],
    ['an erased one’s', 'an erased one’s', 'ada', 'reference_resolved'],
  ])('key %s, its handle %s, person %s: %s', (key, handle, person, refused) => {
    expectRefusal(sliceOf(handle, key), command(person), refused);
  });

  test('a live key of an open handle is resolved and the handle identified, both now', () => {
    const slice = sliceOf('open', 'live');
    expect(resultOf(identify(slice, command('ada'), NOW))).toEqual({
      identified: true,
      participantId: 'ada',
      identifiedAt: NOW,
      reference: { status: 'resolved', expiresAt: LATER, resolvedAt: NOW },
    });
    expect(slice.handles.get('h')).toMatchObject({ participantId: 'ada', identifiedAt: NOW });
    expect(slice.references.get('k')).toMatchObject({ participantId: 'ada', resolvedAt: NOW });
    expect(slice.changed).toEqual({ handles: new Set(['h']), references: new Set(['k']) });
  });

  test('a live key of a handle that is theirs already is resolved; the handle keeps its time', () => {
    const slice = sliceOf('adas', 'live');
    expect(resultOf(identify(slice, command('ada'), NOW))).toMatchObject({
      identifiedAt: EARLIER,
      reference: { status: 'resolved', resolvedAt: NOW },
    });
    expect(slice.changed).toEqual({ handles: new Set(), references: new Set(['k']) });
  });

  test.each<[KeyState, HandleState]>([
    ['adas', 'adas'],
    ['adas, past its end', 'adas'],
    ['adas, past its end', 'none'],
  ])('key %s, its handle %s: the same person gets the first result', (key, handle) => {
    const slice = sliceOf(handle, key);
    const before = copyOf(slice);
    expect(resultOf(identify(slice, command('ada'), NOW))).toMatchObject({
      identified: true,
      participantId: 'ada',
      identifiedAt: EARLIER,
      reference: { status: 'resolved', resolvedAt: EARLIER },
    });
    expect(slice).toEqual(before);
  });
});

describe('whatever comes', () => {
  const handle = fc.constantFrom('h1', 'h2', 'nothing');
  const key = fc.constantFrom('k1', 'k2', 'k3');
  const person = fc.constantFrom('ada', 'bob', null);
  const command = fc.oneof(
    fc.record({ shape: fc.constant('handle_person' as const), handle, person }),
    fc.record({
      shape: fc.constant('handle_key' as const),
      handle,
      key,
      expiresAt: fc.constantFrom(null, LATER, addMs(LATER, DAY_MS)),
    }),
    fc.record({ shape: fc.constant('key_person' as const), key, person }),
  );
  /** Each command, and the minutes between it and the previous one. */
  const story = fc.array(fc.tuple(command, fc.constantFrom(0, 1, 20, 24 * 60)), { maxLength: 25 });

  function play(
    steps: readonly (readonly [IdentifyCommand<string | null>, number])[],
    check: (slice: IdentitySlice, before: IdentitySlice, now: string, at: number) => void,
  ): void {
    const open = (id: string) => [id, { id, participantId: null, identifiedAt: null }] as const;
    const slice: IdentitySlice = {
      handles: new Map([open('h1'), open('h2')]),
      references: new Map(),
      keyCounts: new Map(),
      changed: { handles: new Set(), references: new Set() },
    };
    let now = NOW;
    for (const [at, [, minutes]] of steps.entries()) {
      now = addMs(now, minutes * 60_000);
      check(slice, copyOf(slice), now, at);
    }
  }

  test('a handle belongs to one person for ever, and a key is resolved at most once', () => {
    fc.assert(
      fc.property(story, (steps) => {
        play(steps, (slice, before, now, at) => {
          identify(slice, steps[at]?.[0] as IdentifyCommand<string>, now);
          for (const [id, was] of before.handles) {
            if (was.identifiedAt !== null) assert.deepEqual(slice.handles.get(id), was);
          }
          for (const [name, was] of before.references) {
            const is = slice.references.get(name);
            assert.equal(is?.handleId, was.handleId);
            assert.equal(is?.expiresAt, was.expiresAt);
            if (was.resolvedAt !== null) assert.deepEqual(is, was);
          }
          for (const reference of slice.references.values()) {
            if (reference.resolvedAt === null) continue;
            const owner = slice.handles.get(reference.handleId)?.participantId;
            assert.equal(
              owner,
              reference.participantId,
              'a resolved key and its handle are one person’s',
            );
          }
        });
      }),
      { numRuns: rounds(500, 2_000) },
    );
  });

  test('a repeat gives the first result and changes nothing; a refusal stays one', () => {
    fc.assert(
      fc.property(story, (steps) => {
        play(steps, (slice, _before, now, at) => {
          const one = steps[at]?.[0] as IdentifyCommand<string>;
          const first = identify(slice, one, now);
          const after = copyOf(slice);
          assert.deepEqual(identify(slice, one, now), first);
          assert.deepEqual(slice, after);
        });
      }),
      { numRuns: rounds(500, 2_000) },
    );
  });

  test('who was identified gets that first result for ever, by the handle and by the key', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const firsts = new Map<string, [IdentifyCommand<string | null>, IdentifyOutcome]>();
        play(steps, (slice, _before, now, at) => {
          const one = steps[at]?.[0] as IdentifyCommand<string>;
          const outcome = identify(slice, one, now);
          if (one.shape !== 'handle_key' && 'identification' in outcome) {
            const name = JSON.stringify(one);
            firsts.set(name, firsts.get(name) ?? [one, outcome]);
          }
          for (const [command, first] of firsts.values()) {
            assert.deepEqual(identify(slice, command, now), first);
          }
        });
      }),
      { numRuns: rounds(500, 1_000) },
    );
  });
});
