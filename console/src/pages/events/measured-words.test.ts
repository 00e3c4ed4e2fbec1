import { describe, expect, it } from 'vitest';
import { formatMinor } from '../../ui/money.tsx';
import { milestoneWords, missingSentence, stepWords } from './measured-words.ts';

const dollars = (minor: string) => formatMinor(minor, 'USD', 2);
const step = {
  measure: 'referrals',
  window: 'all_time',
  value: '6',
  carried: '0',
  from: '5',
} as const;
const milestone = {
  measure: 'referrals',
  value: '9',
  carried: '0',
  at: '10',
  multiple: 1,
} as const;

describe('the step that decided (D-TIER-5)', () => {
  it('is the one of this referral or purchase', () => {
    expect(stepWords(step, null, 'signup')).toBe('the 6th referral: step from 5');
    expect(stepWords({ ...step, measure: 'purchases' }, null, 'purchase')).toBe(
      'the 6th purchase: step from 5',
    );
  });

  it('is by the number so far if the event makes no more of them', () => {
    expect(stepWords(step, null, 'purchase')).toBe('6 referrals: step from 5');
    expect(stepWords({ ...step, value: '1', from: '0' }, null, null)).toBe(
      '1 referral: step from 0',
    );
  });

  it('is by revenue in the currency of the terms', () => {
    const revenue = { ...step, measure: 'revenue', value: '120000', from: '100000' } as const;
    expect(stepWords(revenue, 'USD', 'purchase')).toBe(
      `${dollars('120000')} of revenue: step from ${dollars('100000')}`,
    );
  });

  it('says what rejected referrals had brought', () => {
    expect(stepWords({ ...step, rejected: '2' }, null, 'signup')).toBe(
      'the 6th referral, without 2 from rejected referrals: step from 5',
    );
    expect(milestoneWords({ ...milestone, carried: '4', rejected: '1' }, null)).toBe(
      '9 of 10 referrals, including 4 carried over, without 1 from rejected referrals',
    );
    const revenue = { ...milestone, measure: 'revenue', rejected: '500' } as const;
    expect(milestoneWords(revenue, 'USD')).toBe(
      `${dollars('9')} of ${dollars('10')} of revenue, without ${dollars('500')} from rejected referrals`,
    );
  });

  it('says what referrals under review had brought', () => {
    expect(milestoneWords({ ...milestone, underReview: '2' }, null)).toBe(
      '9 of 10 referrals, including 2 from referrals under review',
    );
    expect(milestoneWords({ ...milestone, carried: '4', underReview: '2' }, null)).toBe(
      '9 of 10 referrals, including 4 carried over and 2 from referrals under review',
    );
  });

  it('says what was carried over', () => {
    expect(stepWords({ ...step, carried: '4' }, null, 'signup')).toBe(
      'the 6th referral, including 4 carried over: step from 5',
    );
    const revenue = {
      ...step,
      measure: 'revenue',
      value: '900',
      carried: '800',
      from: '0',
    } as const;
    expect(stepWords(revenue, 'USD', 'purchase')).toBe(
      `${dollars('900')} of revenue, including ${dollars('800')} carried over: step from ${dollars('0')}`,
    );
  });

  it('names the time that counts', () => {
    expect(stepWords({ ...step, window: 'calendar_month' }, null, 'signup')).toBe(
      'the 6th referral (this calendar month): step from 5',
    );
  });
});

describe('how far a milestone is', () => {
  it('is a number of a number', () => {
    expect(milestoneWords(milestone, null)).toBe('9 of 10 referrals');
    expect(milestoneWords({ ...milestone, value: '20', at: '20', multiple: 2 }, null)).toBe(
      '20 of 20 referrals, for the 2nd time',
    );
    const revenue = { ...milestone, measure: 'revenue', value: '500', at: '1000' } as const;
    expect(milestoneWords(revenue, 'USD')).toBe(
      `${dollars('500')} of ${dollars('1000')} of revenue`,
    );
  });

  it('says what was carried over, and that it counts as given', () => {
    const later = { ...milestone, value: '26', carried: '25', at: '30', multiple: 3 };
    expect(missingSentence(later, null)).toBe(
      'They have 26 of 30 referrals, including 25 carried over, for the 3rd time: 4 more are needed.',
    );
    expect(missingSentence({ ...milestone, value: '26', carried: '25' }, null)).toBe(
      'They have 26 of 10 referrals, including 25 carried over: what was carried over counts as given before.',
    );
  });

  it('says what is missing', () => {
    expect(missingSentence(milestone, null)).toBe('They have 9 of 10 referrals: 1 more is needed.');
    expect(missingSentence({ ...milestone, value: '2' }, null)).toContain('8 more are needed.');
    const revenue = { ...milestone, measure: 'revenue', value: '500', at: '1000' } as const;
    expect(missingSentence(revenue, 'USD')).toContain(`${dollars('500')} more is needed.`);
  });
});
