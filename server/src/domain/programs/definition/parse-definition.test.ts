import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError, type Issue } from '../../../platform/kit/errors.ts';
import { parseDefinition } from './parse-definition.ts';
import { editDistance, suggestName } from './suggest-name.ts';

const HEAD = 'apiVersion: goodword/v1\nkind: Program\n';

function refusalsOf(given: unknown): readonly Issue[] {
  try {
    parseDefinition(given);
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_REQUEST') return error.details ?? [];
    throw error;
  }
  return [];
}

test('YAML, JSON and an object of the same contents are the same definition', () => {
  const yaml = `${HEAD}key: invite
rules:
  thanks: # for the friend
    terms: { benefitKind: cash, fixedAmountMinor: "1000", currency: USD }
`;
  const terms = { benefitKind: 'cash', fixedAmountMinor: '1000', currency: 'USD' };
  const value = {
    apiVersion: 'goodword/v1',
    kind: 'Program',
    key: 'invite',
    rules: { thanks: { terms } },
  };
  expect(parseDefinition(yaml)).toEqual(value);
  expect(parseDefinition(JSON.stringify(value))).toEqual(value);
  expect(parseDefinition(value)).toEqual(value);
});

test('an unknown field is refused with its path, its line and the field that was meant', () => {
  const text = `${HEAD}rules:
  thanks:
    terms:
      benefitKind: cash
      rate_bps: 500
      tiers: { measure: referrals, steps: [{ from: "0", rateBsp: 1 }, { from: "5", rateBps: 2 }] }
    beneficiary: referrer
confg: {}
`;
  expect(refusalsOf(text)).toEqual(
    expect.arrayContaining([
      {
        path: 'rules.thanks.terms.rate_bps',
        issue: 'is not a known field; did you mean rateBps? (line 7)',
      },
      {
        path: 'rules.thanks.terms.tiers.steps.0.rateBsp',
        issue: 'is not a known field; did you mean rateBps? (line 8)',
      },
      { path: 'confg', issue: 'is not a known field; did you mean config? (line 10)' },
      { path: 'rules.thanks.beneficiary', issue: 'is not a known field (line 9)' },
    ]),
  );
});

test('what has its place elsewhere is refused with where', () => {
  const object = (extra: object) => ({ apiVersion: 'goodword/v1', kind: 'Program', ...extra });
  const inTerms = (extra: object) =>
    object({ rules: { a: { terms: { benefitKind: 'cash', ...extra } } } });
  expect(refusalsOf(inTerms({ effectiveAt: '2027-01-01T00:00:00Z' }))[0]?.issue).toContain(
    'Publish scheduled versions with the API',
  );
  expect(refusalsOf(object({ status: 'active' }))[0]?.issue).toContain('by its status');
  expect(refusalsOf(inTerms({ customUnitId: 'unit_1' }))[0]?.issue).toContain('unit');
});

test('a number where text is needed is refused with how to write it', () => {
  const text = `${HEAD}rules:
  thanks:
    terms: { benefitKind: cash, fixedAmountMinor: 1000, currency: USD }
`;
  expect(refusalsOf(text)).toEqual([
    {
      path: 'rules.thanks.terms.fixedAmountMinor',
      issue: 'must be text: put it in quotes (line 5)',
    },
  ]);
});

test('a key that is none is refused', () => {
  const [refusal] = refusalsOf(`${HEAD}rules:\n  My Rule: {}\n`);
  expect(refusal).toEqual({
    path: 'rules.My Rule',
    issue:
      'cannot be a key: it begins with a letter and has at most 63 lower-case letters, digits and hyphens (line 4)',
  });
});

test.each([
  ['a tab', `${HEAD}rules:\n\tthanks: {}\n`, /line 4/],
  ['a repeated key', `${HEAD}name: a\nname: b\n`, /has the key name again in line 4/],
  ['two documents', `${HEAD}---\n${HEAD}`, /a second document in line 3/],
  ['an unknown tag', `${HEAD}name: !secret x\n`, /unknown tag in line 3/],
  ['nothing', '', /must be an object/],
  ['a list', '- a\n', /must be an object/],
  ['an alias without an anchor', `${HEAD}name: *none\n`, /alias/],
  ['too much', `${HEAD}# ${'x'.repeat(200_000)}`, /at most 200000 characters/],
])('%s is refused', (_what, text, reason) => {
  expect(refusalsOf(text)[0]?.issue).toMatch(reason);
});

test.each([
  ['NUL', 'name: "a\\0"'],
  ['half of a surrogate pair', 'name: "\\ud800"'],
  ['NUL in a key', 'rules:\n  "a\\0": {}'],
])('an escape for %s, which cannot be stored, is refused with its line', (_, line) => {
  const refusal = {
    path: '',
    issue: expect.stringMatching(/^has a NUL or a lone surrogate in line [34]$/),
  };
  expect(refusalsOf(`${HEAD}${line}\n`)).toEqual([refusal]);
});

test('a field named as one of every object is not known either', () => {
  expect(refusalsOf(`${HEAD}toString: 1\n`)).toEqual([
    { path: 'toString', issue: 'is not a known field (line 3)' },
  ]);
});

test('aliases of aliases do not grow without limit', () => {
  const levels = Array.from({ length: 12 }, (_, n) =>
    n === 0
      ? 'a0: &a0 [x, x]'
      : `a${n}: &a${n} [${Array(9)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
  );
  expect(refusalsOf(levels.join('\n'))[0]?.issue).toMatch(/too many/);
});

test.each([
  ['[ '.repeat(5_000) + ']'.repeat(5_000), /nested too deeply/],
  ['- '.repeat(40_000), /nested too deeply/],
  ['a: '.repeat(30_000), /nested too deeply|not valid/],
  ['? '.repeat(30_000), /nested too deeply/],
  [Array.from({ length: 400 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), /nested too deeply/],
  ['a:\n'.repeat(40_000), /more fields/],
  ['\t:\n'.repeat(60_000), /more fields/],
  ['"'.repeat(200_000), /more fields/],
])('what would keep the service busy, or end it, is refused: %.10s', (text, reason) => {
  expect(refusalsOf(text)[0]?.issue).toMatch(reason);
});

test('whatever a text is, it is a definition or refused', () => {
  const sign = fc.constantFrom(...'[]{}:-?&*!|>"\'%@,# \n\tab1', 'kind: ', 'rules:\n', '  ');
  const anything = fc.array(sign, { maxLength: 200 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(fc.oneof(anything, fc.string({ unit: 'binary' })), (text) => {
      expect(refusalsOf(text).length).toBeGreaterThan(0);
    }),
  );
});

test('the largest program there can be is read', () => {
  const step = (n: number) => `          - { from: "${n}", rateBps: ${n + 1} }\n`;
  const steps = Array.from({ length: 20 }, (_, n) => step(n)).join('');
  const rule = (n: number) => `  rule-${n}:
    name: Rule
    eventType: purchase
    beneficiaryRole: referrer
    purpose: bonus
    terms:
      benefitKind: cash
      calculation: percentage
      tiers:
        measure: referrals
        steps:
${steps}`;
  const rules = (count: number) => Array.from({ length: count }, (_, n) => rule(n)).join('');
  expect(Object.keys(parseDefinition(`${HEAD}rules:\n${rules(100)}`).rules ?? {})).toHaveLength(
    100,
  );
});

test('anchors serve what is repeated', () => {
  const text = `${HEAD}rules:
  a: { terms: &ten { benefitKind: cash, calculation: percentage, rateBps: 1000 } }
  b: { terms: *ten }
`;
  expect(parseDefinition(text).rules?.b?.terms).toEqual(parseDefinition(text).rules?.a?.terms);
});

test('names are near each other by what people mistype', () => {
  expect(suggestName('rate-bps', ['rateBps', 'currency'])).toBe('rateBps');
  expect(suggestName('curency', ['rateBps', 'currency'])).toBe('currency');
  expect(suggestName('nothing', ['rateBps', 'currency'])).toBeUndefined();
  expect([
    editDistance('ab', 'ba'),
    editDistance('', 'abc'),
    editDistance('kitten', 'sitting'),
  ]).toEqual([1, 3, 3]);
});
