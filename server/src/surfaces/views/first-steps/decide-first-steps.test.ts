import { expect, test } from 'vitest';
import { decideFirstSteps, FIRST_STEPS } from './decide-first-steps.ts';
import type { FirstFacts } from './first-steps-queries.ts';

const NOTHING: FirstFacts = {
  hasProgram: false,
  hasApiKey: false,
  hasSource: false,
  hasEvent: false,
  hasLanding: false,
  hasClick: false,
  hasSignup: false,
  hasEndpoint: false,
  paysOut: false,
  hasWidgetSecret: false,
};
const doneWith = (change: Partial<FirstFacts>) =>
  decideFirstSteps({ ...NOTHING, ...change }).flatMap(({ step, isDone }) => (isDone ? [step] : []));

test('nothing is done at first, and all steps are listed in their order', () => {
  expect(doneWith({})).toEqual([]);
  expect(decideFirstSteps(NOTHING).map(({ step }) => step)).toEqual(FIRST_STEPS);
});

test.each<[Partial<FirstFacts>, string[]]>([
  [{ hasProgram: true }, ['program']],
  [{ hasApiKey: true }, ['api_key']],
  [{ hasSource: true }, ['source']],
  [{ hasClick: true }, ['first_click']],
  [{ hasEvent: true, hasSignup: true }, ['first_event', 'first_signup']],
  [{ hasEndpoint: true }, ['delivery']],
  [{ paysOut: true }, ['delivery']],
  [{ hasWidgetSecret: true }, ['widget']],
])('%o ticks %o', (facts, steps) => {
  expect(doneWith(facts)).toEqual(steps);
});

test('a landing of the script is also a click', () => {
  expect(doneWith({ hasLanding: true })).toEqual(['landing_script', 'first_click']);
});
