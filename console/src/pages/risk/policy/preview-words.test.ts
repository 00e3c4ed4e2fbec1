import { expect, it } from 'vitest';
import { previewSentence } from './preview-words.ts';

const say = (reviewed: number, judged: number) =>
  previewSentence({ judged, reviewed, bySignal: [], examples: [] });

it('says how many would have been reviewed, and their share', () => {
  expect(say(12, 1240)).toBe('12 of 1,240 referrals would have been reviewed (1%).');
  expect(say(5, 1240)).toBe('5 of 1,240 referrals would have been reviewed (0.4%).');
  expect(say(31, 90)).toBe('31 of 90 referrals would have been reviewed (34%).');
  expect(say(0, 1)).toBe('0 of 1 referral would have been reviewed (0%).');
});

it('a program without judged referrals has nothing to compare with', () => {
  expect(say(0, 0)).toContain('nothing to compare');
});
