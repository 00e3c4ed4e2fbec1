import { expect, test } from 'vitest';
import { addMs, DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { Target } from '../queries.ts';
import { decideLandings, type Known, type Landing, NOTHING, touchKey } from './decide-landings.ts';

const NOW = '2026-11-15T12:00:00.000Z';
const LATER = addMs(NOW, 90 * DAY_MS);
const HANDLE = `hdl_${'0'.repeat(26)}`;

const target = (code: string): Target => ({
  code,
  refCodeId: `cod_${code}`,
  linkId: null,
  programId: 'prg_1',
  referrerParticipantId: `par_${code}`,
  landingPageUrl: 'https://example.com/',
  isOpen: true,
});

const landing = (fields: Partial<Landing> = {}): Landing => ({
  projectId: 'prj_1',
  now: NOW,
  lifeMs: 90 * DAY_MS,
  click: null,
  named: target('ada'),
  handle: null,
  landingUrl: null,
  referrerOrigin: null,
  utm: { source: null, medium: null, campaign: null, term: null, content: null },
  networkHash: null,
  ...fields,
});

const token = (id: string, code = 'eve') => ({
  id,
  name: code,
  expiresMs: 0,
  target: target(code),
});

function decide(landings: readonly Landing[], known: Partial<Known> = {}) {
  let made = 0;
  const next = (prefix: string) => {
    made += 1;
    return `${prefix}_${made}`;
  };
  return decideLandings(
    landings,
    { unspent: new Set(), open: new Map(), touched: new Map(), ...known },
    { handle: () => next('hdl'), touchId: () => next('tch') },
  );
}

const open = new Map([[HANDLE, addMs(NOW, DAY_MS)]]);

test('browsers without a handle get one each, with a touch', () => {
  const { answers, handles, touches, extensions } = decide([landing(), landing()]);
  expect(answers).toEqual([
    { handle: 'hdl_1', expiresAt: LATER, maxAgeSeconds: 7_776_000 },
    { handle: 'hdl_3', expiresAt: LATER, maxAgeSeconds: 7_776_000 },
  ]);
  expect(handles.map(({ id }) => id)).toEqual(['hdl_1', 'hdl_3']);
  expect(touches.map(({ handleId }) => handleId)).toEqual(['hdl_1', 'hdl_3']);
  expect(extensions).toEqual([]);
});

test('a token counts for the first that brings it; the others have the code in the address', () => {
  const both = [landing({ click: token('t') }), landing({ click: token('t') })];
  const { touches } = decide(both, { unspent: new Set(['t']) });
  expect(touches.map(({ source, refCodeId }) => [source, refCodeId])).toEqual([
    ['link', 'cod_eve'],
    ['landing_param', 'cod_ada'],
  ]);
});

test('a spent token without a code in the address leads to nothing', () => {
  const decided = decide([landing({ click: token('t'), named: null })]);
  expect(decided).toEqual({ answers: [NOTHING], handles: [], touches: [], extensions: [] });
});

test('an open handle is kept and lasts longer', () => {
  const { answers, handles, extensions } = decide([landing({ handle: HANDLE })], { open });
  expect(answers[0]?.handle).toBe(HANDLE);
  expect(handles).toEqual([]);
  expect(extensions).toEqual([{ id: HANDLE, expiresAt: LATER }]);
});

test.each([
  ['unknown or identified', new Map()],
  ['expired', new Map([[HANDLE, NOW]])],
])('a handle that is %s is replaced', (_, known) => {
  const { answers, handles, extensions } = decide([landing({ handle: HANDLE })], { open: known });
  expect(answers[0]?.handle).toBe('hdl_1');
  expect(handles).toHaveLength(1);
  expect(extensions).toEqual([]);
});

test('one handle and code at once are one touch; another code is another', () => {
  const own = { handle: HANDLE };
  const { touches, extensions, answers } = decide(
    [landing(own), landing(own), landing({ ...own, named: target('eve') })],
    { open },
  );
  expect(touches.map(({ refCodeId }) => refCodeId)).toEqual(['cod_ada', 'cod_eve']);
  expect(extensions).toHaveLength(1);
  expect(new Set(answers.map(({ handle }) => handle))).toEqual(new Set([HANDLE]));
});

test.each([
  [59, 0],
  [60, 1],
])('a code touched %i minutes ago makes %i more', (minutes, more) => {
  const touched = new Map([[touchKey(HANDLE, 'cod_ada'), addMs(NOW, -minutes * MINUTE_MS)]]);
  const { touches } = decide([landing({ handle: HANDLE })], { open, touched });
  expect(touches).toHaveLength(more);
});

test('of two clicks of a handle, the later decides how long it lasts', () => {
  const later = landing({ handle: HANDLE, now: addMs(NOW, MINUTE_MS) });
  for (const both of [
    [landing({ handle: HANDLE }), later],
    [later, landing({ handle: HANDLE })],
  ]) {
    expect(decide(both, { open }).extensions).toEqual([
      { id: HANDLE, expiresAt: addMs(LATER, MINUTE_MS) },
    ]);
  }
});
