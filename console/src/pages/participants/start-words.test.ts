import { expect, test } from 'vitest';
import { formatMinor } from '../../ui/money.tsx';
import { startWords } from './start-words.ts';

test('what was carried over is listed without what is none', () => {
  const start = {
    programId: 'prg_1',
    referrals: '12',
    purchases: '1',
    revenue: [],
    importedAt: '2026-11-15T09:30:00.000Z',
  };
  expect(startWords(start)).toBe('12 referrals, 1 purchase');
  const revenue = [
    { currency: 'EUR', amountMinor: '700' },
    { currency: 'JPY', amountMinor: '90' },
  ];
  expect(startWords({ ...start, referrals: '0', purchases: '0', revenue })).toBe(
    `${formatMinor('700', 'EUR', 2)} of revenue, ${formatMinor('90', 'JPY', 0)} of revenue`,
  );
});
