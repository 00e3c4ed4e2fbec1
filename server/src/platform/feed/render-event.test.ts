import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../test/any-text.ts';
import { API_VERSIONS } from './api-versions.ts';
import { cutEvents, renderEvent, writePlaceholderTexts } from './render-event.ts';

const project = { id: 'prj_one', environment: 'sandbox' as const };
const head = {
  position: 7,
  id: 'wev_one',
  type: 'event.recorded',
  occurredAt: '2026-11-15T09:30:00.000Z',
};

const VERSION = { apiVersions: API_VERSIONS, apiVersion: '2026-10-04' };

/** Names and texts that look like a placeholder, or that JSON escapes. */
const nasty = fc.oneof(
  fc.constantFrom(
    '{"$party":"par_1"}',
    '"}{"$party":"par_1"}',
    '\\{"$party":"par_1"}',
    '{\\"$party\\":\\"par_1\\"}',
    '$party',
    '\u2028 " \\ \u0000 \ud800 é 😀',
  ),
  anyText(),
);
const id = fc.constantFrom('par_1', 'par_2', 'par_3');
const placeholder = fc.oneof(
  fc.record({ $party: id }),
  fc.record({ $properties: id.map((name) => `evt_${name}`) }),
);
const { data } = fc.letrec((tie) => ({
  data: fc.dictionary(nasty, tie('value'), { maxKeys: 6 }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    nasty,
    fc.constantFrom(null, true, 0, -1.5, 1e21),
    placeholder,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('data'),
  ),
}));
const placeholderValues = fc
  .tuple(fc.array(nasty, { minLength: 3, maxLength: 3 }), fc.dictionary(nasty, nasty))
  .map(([names, properties]) => ({
    $party: new Map(
      names.map((externalId, n) => [
        `par_${n + 1}`,
        { participantId: `par_${n + 1}`, kind: 'individual', externalId },
      ]),
    ),
    $properties: new Map(names.map((_, n) => [`evt_par_${n + 1}`, properties])),
  }));

/** The same on objects. */
function fill(
  value: unknown,
  find: (kind: '$party' | '$properties', id: string) => unknown,
): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => fill(one, find));
  const [[name, first] = [], second] = Object.entries(value);
  const isPlaceholder = (name === '$party' || name === '$properties') && second === undefined;
  if (isPlaceholder && typeof first === 'string') return find(name, first);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, find)]));
}

test('an event put together as text has the very bytes of the same event as an object', () => {
  fc.assert(
    fc.property(data, placeholderValues, (written, filled) => {
      // As returned by the database.
      const text = JSON.stringify(written);
      // A caller's name that only looks like a placeholder's never occurs in an event.
      fc.pre(!hasLookalike(JSON.parse(text)));
      const { cut, ids } = cutEvents([{ ...head, data: text }]);
      const asked = { $party: new Set<string>(), $properties: new Set<string>() };
      const whole = fill(JSON.parse(text), (kind, name) => {
        asked[kind].add(name);
        return filled[kind].get(name);
      });
      expect(ids).toEqual({ $party: [...asked.$party], $properties: [...asked.$properties] });
      const [event] = cut.map((one) =>
        renderEvent(one, project, writePlaceholderTexts(filled), VERSION),
      );
      const { id, type, occurredAt } = head;
      const { id: projectId, environment } = project;
      const { apiVersion } = VERSION;
      expect(event).toBe(
        JSON.stringify({ id, type, apiVersion, occurredAt, projectId, environment, data: whole }),
      );
    }),
    { numRuns: 500 },
  );
});

/** `$party` beside other fields, or with something else than an id. */
function hasLookalike(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const names = Object.keys(value);
  const isNamed = names.includes('$party') || names.includes('$properties');
  if (isNamed) return !/^\{"\$(party|properties)":"(evt_)?par_\d"\}$/.test(JSON.stringify(value));
  return Object.values(value).some(hasLookalike);
}

test('an event that names somebody who is not there is a fault, not a hole in the answer', () => {
  const { cut } = cutEvents([{ ...head, data: '{"participant":{"$party":"par_9"}}' }]);
  const none = writePlaceholderTexts({ $party: new Map(), $properties: new Map() });
  const render = () => cut.map((one) => renderEvent(one, project, none, VERSION));
  expect(render).toThrow('par_9');
});
