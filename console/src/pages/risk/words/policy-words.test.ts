import { expect, it } from 'vitest';
import type { RiskChoice } from '../queries.ts';
import { describeRisk, toChoice, toText } from './policy-words.ts';
import { SIGNAL_NAMES } from './signal-words.ts';

const choice = (more: Partial<RiskChoice> = {}, points: Partial<RiskChoice['points']> = {}) => ({
  mode: 'review' as const,
  reviewAt: 60,
  ...more,
  points: {
    ...(Object.fromEntries(SIGNAL_NAMES.map((name) => [name, 20])) as RiskChoice['points']),
    ...points,
  },
});

it('a policy says what happens at its limit, what is enough alone, and what does not count', () => {
  const points = { shared_payout: 70, email_alias: 60, quick_signup: 0 };
  expect(describeRisk(choice({}, points))).toEqual([
    'A referral with a score of 60 or more is reviewed: its rewards wait until somebody has decided.',
    'Enough by itself: shared payout account and same address.',
    'Does not count: quick signup.',
  ]);
  expect(describeRisk(choice())).toContain('No signal is enough alone.');
});

it('a policy that observes or is off says that nothing is held', () => {
  expect(describeRisk(choice({ mode: 'observe' }))[0]).toContain('nothing is held');
  expect(describeRisk(choice({ mode: 'off' }))).toEqual([
    'Referrals are not judged, and nothing is held.',
  ]);
});

it('what was typed is the policy again, unless a number is missing, broken or too large', () => {
  const before = choice();
  expect(toChoice(toText(before))).toEqual(before);
  for (const reviewAt of ['', '0', '101', '6.5', '-1', 'ten'])
    expect(toChoice({ ...toText(before), reviewAt })).toBeNull();
  for (const typed of ['', '101', '1e1', 'x']) {
    const text = toText(before);
    expect(toChoice({ ...text, points: { ...text.points, ring: typed } })).toBeNull();
  }
  expect(toChoice({ ...toText(before), reviewAt: '100' })?.reviewAt).toBe(100);
});
