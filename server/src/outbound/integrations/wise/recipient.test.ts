import { expect, test } from 'vitest';
import type { Details } from '../../payouts/details/details.ts';
import { toWiseRecipient } from './recipient.ts';

const bank = { type: 'bank', holderName: 'Ada Lovelace', country: 'DE', currency: 'EUR' } as const;
const iban: Details = { ...bank, iban: 'DE89370400440532013000', bic: null };
const number = { ...bank, accountNumber: '37778842', routingCode: '040075' };

test('an IBAN, in the currency of the account', () => {
  expect(toWiseRecipient(iban, 'EUR', null)).toEqual({
    recipient: {
      type: 'iban',
      currency: 'EUR',
      accountHolderName: 'Ada Lovelace',
      details: { legalType: 'PRIVATE', IBAN: 'DE89370400440532013000' },
    },
  });
});

test.each([
  ['GB', 'GBP', 'sort_code', { sortCode: '040075' }],
  ['AU', 'AUD', 'australian', { bsbCode: '040075' }],
  ['IN', 'INR', 'indian', { ifscCode: '040075' }],
])('an account in %s by its number', (country, currency, type, fields) => {
  const { recipient } = toWiseRecipient({ ...number, country, currency }, currency, null) as {
    recipient: object;
  };
  expect(recipient).toMatchObject({ type, currency });
  expect(recipient).toMatchObject({ details: { ...fields, accountNumber: '37778842' } });
});

test('somebody with an e-mail address, by their name', () => {
  const details: Details = { type: 'wise', email: 'ada@example.com' };
  expect(toWiseRecipient(details, 'EUR', 'Ada Lovelace')).toEqual({
    recipient: {
      type: 'email',
      currency: 'EUR',
      accountHolderName: 'Ada Lovelace',
      details: { email: 'ada@example.com' },
    },
  });
  expect(toWiseRecipient(details, 'EUR', null)).toHaveProperty('fault');
});

test.each([
  [
    'another currency',
    iban,
    'USD',
    'The currency of the account is EUR, but the payout is in USD.',
  ],
  [
    'an account in the US, for which an address is wanted',
    { ...number, country: 'US', currency: 'USD' },
    'USD',
    'Wise needs the postal address of the holder of a US account, which is not known.',
  ],
  [
    'a country whose codes nobody knows',
    { ...number, country: 'BR', currency: 'BRL' },
    'BRL',
    'Wise cannot pay to accounts in BR by account number.',
  ],
  [
    'details of another provider',
    { type: 'paypal', email: 'a@b.example' },
    'EUR',
    'Wise cannot pay to payout details of this type.',
  ],
] as [string, Details, string, string][])('not %s', (_name, details, currency, fault) => {
  expect(toWiseRecipient(details, currency, 'Ada Lovelace')).toEqual({ fault });
});
