import { expect, test } from 'vitest';
import type { FirstUse } from '../../../accounts/workspaces/usage/usage-log.ts';
import { decideFirstSteps, FIRST_STEPS } from './decide-first-steps.ts';
import type { FirstFacts } from './first-steps-queries.ts';

const NOTHING: FirstFacts = {
  hasProgram: false,
  hasSource: false,
  hasEvent: false,
  hasClick: false,
  hasSignup: false,
  hasPayout: false,
  hasGrant: false,
};
const doneWith = (change: Partial<FirstFacts>, ...uses: FirstUse[]) =>
  decideFirstSteps({ ...NOTHING, ...change }, new Set(uses)).flatMap(({ step, isDone }) =>
    isDone ? [step] : [],
  );

test('nothing is done at first, and all steps are listed in their order', () => {
  expect(doneWith({})).toEqual([]);
  expect(decideFirstSteps(NOTHING, new Set()).map(({ step }) => step)).toEqual(FIRST_STEPS);
});

test.each<[Partial<FirstFacts>, string[]]>([
  [{ hasProgram: true }, ['program']],
  [{ hasSource: true }, ['source']],
  [{ hasClick: true }, ['first_click']],
  [{ hasEvent: true, hasSignup: true }, ['first_event', 'first_signup']],
  [{ hasPayout: true }, ['delivery']],
  [{ hasGrant: true }, ['delivery']],
])('%o ticks %o', (facts, steps) => {
  expect(doneWith(facts)).toEqual(steps);
});

test.each<[FirstUse, string]>([
  ['api_key', 'api_key'],
  ['landing_script', 'landing_script'],
  ['webhook', 'delivery'],
  ['widget', 'widget'],
])('the first use of %s ticks %s', (use, step) => {
  expect(doneWith({}, use)).toEqual([step]);
});

test('all that is left is done in the end', () => {
  const all = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, true])) as never;
  expect(doneWith(all, 'api_key', 'landing_script', 'webhook', 'widget')).toEqual([...FIRST_STEPS]);
});
