import fc from 'fast-check';
import { expect, test } from 'vitest';
import { milestoneTerms, tieredTerms } from '../../../../test/program-book.ts';
import { decideProgress } from '../../../domain/rewards/decide/decide-progress.ts';
import { readerFor } from '../reader.ts';
import { percentOf, progressPart } from './progress-html.ts';

const none = {
  carried: 0n,
  rejected: 0n,
  underReview: 0n,
  taken: 0,
  lost: 0,
  earnedAbove: [],
  given: 0,
};
const share = tieredTerms('referrals', [
  [0, 2_000],
  [5, 2_500],
]);
const shown = (value: bigint, terms = share, more: Partial<typeof none> = {}) => {
  const progress = decideProgress(terms, { ...none, value, ...more });
  return progressPart(progress ? [progress] : [], readerFor('en', 'en-US'))?.text ?? '';
};
const words = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test('a bar leads to the next step, and says so to who cannot see it', () => {
  const markup = shown(3n);
  expect(words(markup)).toBe('Your progress Referrals: 3 of 5 Now: 20% Next: 25%');
  expect(markup).toContain(
    '<progress max="100" value="60" aria-label="Referrals: 3 of 5" aria-valuetext="Referrals: 3 of 5. Now: 20%. Next: 25%">',
  );
});

test('the last step has no bar, and terms that do not grow have nothing', () => {
  expect(shown(7n)).not.toContain('<progress');
  expect(words(shown(7n))).toBe('Your progress Now: 25%');
  expect(progressPart([], readerFor('en', 'en-US'))).toBeNull();
});

test('milestones reached are counted, and a window is told', () => {
  const milestone = { measure: 'revenue', at: 50_000n, repeat: true } as const;
  const terms = milestoneTerms('revenue', 50_000, { milestone });
  expect(words(shown(120_000n, terms, { taken: 2 }))).toBe(
    'Your progress Revenue: $1,200.00 of $1,500.00 Milestones reached: 2 Next: $10.00',
  );
  const monthly = tieredTerms(
    'purchases',
    [
      [0, 100],
      [2, 200],
    ],
    { window: 'calendar_month' },
  );
  expect(words(shown(1n, monthly))).toContain('Counted in this calendar month (UTC).');
});

test('what somebody bought who was referred is their own', () => {
  const own = {
    ...tieredTerms('purchases', [
      [0, 100],
      [2, 200],
    ]),
    beneficiaryRole: 'referee',
  } as const;
  expect(words(shown(1n, own))).toContain('Your purchases: 1 of 2');
  const milestone = { measure: 'revenue', at: 50_000n, repeat: false } as const;
  const spent = {
    ...milestoneTerms('revenue', 1, { milestone }),
    beneficiaryRole: 'referee',
  } as const;
  expect(words(shown(0n, spent))).toContain('Your spending: $0.00 of $500.00');
});

test('a bar is full only if nothing is missing', () => {
  const natural = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(natural, natural, (value, more) => {
      const at = more + 1n;
      const percent = percentOf(value, at);
      expect(percent === 100).toBe(value >= at);
      expect(percent >= 0 && percent <= 100).toBe(true);
    }),
  );
});
