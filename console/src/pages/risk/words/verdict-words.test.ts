import { expect, it } from 'vitest';
import { consequenceSentence, scoreSentence, type Verdict } from './verdict-words.ts';

const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  referralId: 'ref_1',
  policyVersionId: null,
  mode: 'review',
  score: 35,
  reviewAt: 60,
  reviewId: null,
  signals: [
    { signal: 'same_network', value: 'true', points: 25, sentence: '' },
    { signal: 'quick_signup', value: '4', points: 10, sentence: '' },
  ],
  ...more,
});

it('a score names what fired, with its points', () => {
  expect(scoreSentence(verdict())).toBe('Score 35: same network (25), quick signup (10).');
  expect(scoreSentence(verdict({ score: 0, signals: [] }))).toBe(
    'Score 0: nothing speaks against it.',
  );
});

it('says what follows from a score', () => {
  expect(consequenceSentence(verdict())).toBe('A review starts at 60.');
  expect(consequenceSentence(verdict({ score: 60, reviewId: 'rvw_1' }))).toBe(
    'It was sent to review.',
  );
  expect(consequenceSentence(verdict({ score: 60, mode: 'observe' }))).toContain('only observes');
  expect(consequenceSentence(verdict({ score: 60 }))).toContain('not reviewed again');
});
