import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVENT_TYPE_PATTERN } from '../../../domain/programs/schema.ts';
import { describePattern } from './describe-pattern.ts';

const document = JSON.parse(
  readFileSync(new URL('../../../../../openapi.json', import.meta.url), 'utf8'),
) as object;

function listPatterns(part: object): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === 'pattern' && typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? listPatterns(value) : [];
  });
}

test('what a field must look like is said in words, never as a regular expression', () => {
  const patterns = new Set(listPatterns(document));
  expect(patterns.size).toBeGreaterThan(10);
  for (const pattern of patterns) {
    const words = describePattern(pattern);
    expect([pattern, words]).toEqual([pattern, expect.stringMatching(/^must (not )?(be|have) /)]);
    expect([pattern, words.includes(pattern)]).toEqual([pattern, false]);
    expect([pattern, words]).not.toEqual([pattern, describePattern('')]);
  }
});

test('the type of an Event is described as its pattern has it', () => {
  expect(describePattern(EVENT_TYPE_PATTERN)).toBe(
    'must be signup, purchase, or custom_ and 1 to 57 letters (a–z), digits or any of _ . : -',
  );
});

test('a pattern that nobody described is not shown either', () => {
  expect(describePattern('^(a|b)+$')).toBe(
    'must have the form that the API reference gives for it',
  );
});
