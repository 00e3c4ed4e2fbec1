import { expect, test } from 'vitest';
import { toSentRow } from './starting-cells.ts';

test('cells of what was brought before are sent together, amounts in minor units', () => {
  expect(
    toSentRow({
      externalId: '42',
      startingReferrals: '12',
      startingRevenue: '120.50 USD; 7 jpy; 1,5 KWD;',
    }),
  ).toEqual({
    externalId: '42',
    startingMeasures: {
      referrals: '12',
      revenue: [
        { currency: 'USD', amountMinor: '12050' },
        { currency: 'jpy', amountMinor: '7' },
        { currency: 'KWD', amountMinor: '1500' },
      ],
    },
  });
  expect(toSentRow({ externalId: '42', startingPurchases: '3' })).toEqual({
    externalId: '42',
    startingMeasures: { purchases: '3' },
  });
});

test('a row without them is sent as it is', () => {
  expect(toSentRow({ externalId: '42', code: 'ada' })).toEqual({ externalId: '42', code: 'ada' });
});

test('what is no amount is never read as another one: the service refuses it', () => {
  const sent = (startingRevenue: string) =>
    toSentRow({ startingRevenue }).startingMeasures?.revenue?.[0];
  const isGood = (text: string) => {
    const { currency = '', amountMinor = '' } = sent(text) ?? {};
    return /^[A-Za-z]{3}$/.test(currency) && /^(0|[1-9][0-9]{0,14})$/.test(amountMinor);
  };
  for (const text of ['120.50', 'USD', 'USD 5', '-5 USD', '1,234.50 USD', '1.005 USD', 'x USD']) {
    expect([text, isGood(text)]).toEqual([text, false]);
  }
  expect(isGood('5 USD')).toBe(true);
});
