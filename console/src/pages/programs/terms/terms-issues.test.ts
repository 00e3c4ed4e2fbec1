import { expect, test } from 'vitest';
import { ApiError } from '../../../api/errors.ts';
import { readTermsIssues } from './terms-issues.ts';

const refusal = (...paths: string[]) =>
  new ApiError('Refused.', {
    status: 400,
    code: 'VALIDATION_FAILED',
    details: paths.map((path) => ({ path, issue: `about ${path}` })),
  });

test.each([
  ['terms.rateBps', 'rate'],
  ['terms.tiers.measure', 'measure'],
  ['terms.milestone.at', 'at'],
  ['terms.tiers.steps.1.from', 'steps.1.from'],
  ['terms.tiers.steps.12.rateBps', 'steps.12.size'],
  ['terms.tiers.steps.0.fixedAmountMinor', 'steps.0.size'],
  ['terms.conditions.0.value', 'conditions.0.value'],
  ['terms.conditions.3.field', 'conditions.3.field'],
])('%s is shown at %s', (path, place) => {
  const { errors, rest } = readTermsIssues(refusal(path));
  expect([errors, rest]).toEqual([{ [place]: `about ${path}` }, null]);
});

test('an issue of one value of a list is shown at the list', () => {
  const { errors, rest } = readTermsIssues(refusal('terms.conditions.1.value.2'));
  expect([Object.keys(errors), rest]).toEqual([['conditions.1.value'], null]);
});

test('what fits no field is left', () => {
  const { errors, rest } = readTermsIssues(refusal('terms.calculation', 'terms.tiers.steps'));
  expect(errors).toEqual({});
  expect((rest as ApiError).issues).toHaveLength(2);
});
