import { expect, test } from 'vitest';
import { sayMistake } from './say-mistake.ts';

test('a mistake names the field as the page does, and says in words what is wrong', () => {
  const issues = [
    { path: 'code', issue: 'must have 3 to 32 letters' },
    { path: 'referredByExternalId', issue: 'is unknown' },
  ];
  expect(sayMistake({ issues }, { code: 'A!', referredByExternalId: '7' })).toBe(
    'Code “A!” must have 3 to 32 letters; Referred by (external id) “7” is unknown',
  );
});

test('what is not there, or is about the whole row, is said without a value', () => {
  const issues = [
    { path: 'externalId', issue: 'is required' },
    { path: '', issue: 'The Program has ended.' },
  ];
  expect(sayMistake({ issues }, {})).toBe('External id is required; The Program has ended.');
});

test('what somebody brought before is said by its column', () => {
  const issues = [
    { path: 'startingMeasures.referrals', issue: 'must be a whole number' },
    { path: 'startingMeasures.revenue.1.currency', issue: 'names USD a second time' },
    { path: 'startingMeasures', issue: 'differs' },
  ];
  const row = { startingReferrals: 'many', startingRevenue: '1 USD; 2 usd' };
  expect(sayMistake({ issues }, row)).toBe(
    'Starting referrals “many” must be a whole number; Starting revenue (as 120.50 USD) “1 USD; 2 usd” names USD a second time; What they brought before differs',
  );
});

test('a long value is cut', () => {
  const issues = [{ path: 'name', issue: 'must have at most 200 characters' }];
  expect(sayMistake({ issues }, { name: 'x'.repeat(300) })).toBe(
    `Name “${'x'.repeat(40)}…” must have at most 200 characters`,
  );
});
