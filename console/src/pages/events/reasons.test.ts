import { describe, expect, it } from 'vitest';
import {
  type Worded,
  wordCandidate,
  wordEvent,
  wordIdentify,
  wordRefCode,
  wordRule,
} from './reasons.ts';

const isWorded = ({ label, sentence }: Worded) => {
  expect(label).toMatch(/^[A-Z][^_]+[^.]$/);
  expect(sentence).toMatch(/^[A-Z][^_]{20,}\.$/);
  expect(sentence).not.toContain('cannot describe');
};

describe('why somebody was not credited (D-EXP-1)', () => {
  it.each([
    'no_referral',
    'terms_not_effective',
    'terms_disabled',
    'duration_over',
    'cap_reached',
    'zero_amount',
    'amount_missing',
    'currency_unsupported',
    'enrollment_not_active',
    'referrer_unavailable',
    'program_not_active',
    'already_earned',
    'condition_not_met',
    'milestone_not_reached',
  ])('says in plain words that a rule was skipped for %s', (reason) => {
    isWorded(wordRule('skipped', reason));
  });

  it.each([
    'outside_window',
    'self_referral',
    'existing_customer',
    'program_not_active',
    'enrollment_not_active',
    'referrer_unavailable',
    'awaiting_subscription',
    'not_applicable',
    'outranked',
    'already_referred',
  ])('says in plain words that a candidate was rejected for %s', (reason) => {
    isWorded(wordCandidate('rejected', reason));
  });

  it('words no two reasons alike', () => {
    const sentences = ['outside_window', 'self_referral', 'existing_customer', 'outranked'].map(
      (reason) => wordCandidate('rejected', reason).sentence,
    );
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('says who won and what was earned', () => {
    expect(wordCandidate('selected', null).label).toBe('Selected');
    expect(wordRule('earned', null).label).toBe('Earned');
  });
});

describe('how an Event stands (D-EVT-1)', () => {
  it.each([
    ['pending', 'awaiting_attribution', 'waits'],
    ['pending', 'retry_scheduled', 'care'],
    ['failed', 'attempts_exhausted', 'bad'],
    ['processed', 'attributed', 'good'],
    ['processed', 'no_candidate', 'plain'],
    ['processed', 'outside_window', 'plain'],
    ['processed', 'self_referral', 'plain'],
    ['processed', 'existing_customer', 'plain'],
    ['processed', 'program_not_active', 'plain'],
    ['processed', 'enrollment_not_active', 'plain'],
    ['processed', 'referrer_unavailable', 'plain'],
    ['processed', 'no_referral', 'plain'],
    ['processed', 'no_signup', 'plain'],
    ['processed', 'awaiting_subscription', 'plain'],
    ['processed', 'duplicate_invoice', 'plain'],
    ['processed', 'not_applicable', 'plain'],
  ])('explains %s with reason %s', (processingState, processingReason, tone) => {
    const worded = wordEvent({ processingState, processingReason });
    isWorded(worded);
    expect(worded.tone).toBe(tone);
  });

  it('shows a reason of a newer service by its own name', () => {
    const worded = wordEvent({ processingState: 'failed', processingReason: 'solar_flare' });
    expect(worded).toMatchObject({ tone: 'bad', label: 'Solar flare' });
  });
});

describe('what came along with a signup', () => {
  it.each(['empty', 'too_long', 'unknown', 'not_a_signup', 'self_referral', 'already_referred'])(
    'says why the code %s did not count',
    (reason) => {
      expect(wordRefCode({ accepted: false, reason })).toMatch(/^[A-Z][^_]*\.$/);
    },
  );

  it('tells whether the browser is known', () => {
    expect(wordIdentify({ identified: true, identifyReason: null })).toContain(
      'belongs to this participant',
    );
    expect(wordIdentify({ identified: false, identifyReason: 'not_a_handle' })).toContain(
      'no such handle',
    );
    expect(
      wordIdentify({ identified: false, identifyReason: 'handle_already_identified' }),
    ).toContain('another participant');
    expect(wordIdentify({ identified: false, identifyReason: null })).toContain('No handle');
  });
});
