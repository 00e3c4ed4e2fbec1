import { expect, test } from 'vitest';
import { describeState, kindLabel } from './mail-words.ts';

test('a reason says more than a state', () => {
  expect(describeState({ state: 'dropped', reason: 'no_address' })).toEqual({
    tone: 'over',
    label: 'Not sent',
    explanation: 'The recipient has no e-mail address.',
  });
  expect(describeState({ state: 'sent', reason: null }).explanation).toContain('accepted');
  expect(describeState({ state: 'unknown', reason: 'interrupted' }).explanation).toContain(
    'not sent again',
  );
});

test('a bounce that was reported later says what the receiving server said', () => {
  const bounce = {
    kind: 'hard',
    at: '2026-11-15T09:30:00.000Z',
    diagnostic: '550 unknown',
  } as const;
  const mail = { state: 'bounced', reason: 'reported_later', bounce } as const;
  expect(describeState(mail).explanation).toMatch(/reported later.* 550 unknown$/);
  expect(describeState({ ...mail, bounce: null }).explanation).not.toContain('550');
});

test('kinds for people and for the team have names', () => {
  expect(kindLabel('reward_earned')).toBe('You earned');
  expect(kindLabel('payout_batch_to_approve')).toBe('Payout batch to approve');
});
