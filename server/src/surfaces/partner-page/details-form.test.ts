import { expect, test } from 'vitest';
import { readDetails } from '../../outbound/payouts/details/read-details.ts';
import { invalidRequest } from '../../platform/http/routes/validate.ts';
import {
  FORM_KINDS,
  type FormKind,
  readFormValues,
  toDetailsInput,
  toFormErrors,
  toFormKind,
} from './details-form.ts';
import { en } from './texts/en.ts';

/** The form's errors for the given input. */
function submit(kind: FormKind, fields: Record<string, string>): unknown {
  try {
    const values = readFormValues(kind, new URLSearchParams(fields));
    const reading = readDetails(toDetailsInput(kind, values));
    if ('issues' in reading) throw invalidRequest(reading.issues, 'body');
    return reading.details;
  } catch (error) {
    return Object.fromEntries(toFormErrors(kind, error, en) ?? [['unknown', String(error)]]);
  }
}
const bank = { holderName: ' Ada ', country: 'DE', currency: 'EUR' };

test('each kind is saved as what it is, with the fields of others left out', () => {
  expect(submit('paypal', { email: 'ada@example.com', iban: 'x' })).toEqual({
    type: 'paypal',
    email: 'ada@example.com',
  });
  expect(
    submit('iban', { ...bank, iban: 'DE89 3704 0044 0532 0130 00', accountNumber: '1' }),
  ).toEqual({
    type: 'bank',
    ...bank,
    holderName: 'Ada',
    iban: 'DE89370400440532013000',
    bic: null,
  });
  expect(
    submit('account', {
      ...bank,
      country: 'US',
      currency: 'USD',
      accountNumber: '123456789',
      routingCode: '021000021',
    }),
  ).toMatchObject({ type: 'bank', accountNumber: '123456789', routingCode: '021000021' });
});

test('every fault stands at its field, in words for people', () => {
  const nothing = Object.fromEntries(FORM_KINDS.map((kind) => [kind, submit(kind, {})]));
  const missing = 'Please fill this in.';
  const place = {
    holderName: missing,
    country: 'Please choose one.',
    currency: 'Please choose one.',
  };
  expect(nothing).toEqual({
    iban: { ...place, iban: missing },
    account: { ...place, accountNumber: missing, routingCode: missing },
    paypal: { email: missing },
    wise: { email: missing },
  });
  expect(submit('wise', { email: 'ada' })).toEqual({
    email: 'This is not an e-mail address such as ada@example.com.',
  });
  expect(submit('iban', { ...bank, iban: 'DE89 3704 0044 0532 0130 01' })).toEqual({
    iban: 'IBAN is mistyped: its check digits do not match.',
  });
  expect(submit('iban', { ...bank, iban: 'x'.repeat(65) })).toEqual({
    iban: 'IBAN must have at most 64 characters.',
  });
  expect(submit('iban', { ...bank, country: 'Germany', iban: 'x' })).toEqual({
    country: 'Please choose one.',
  });
});

test('where accounts are paid by IBAN, a number is sent to the other form', () => {
  expect(submit('account', { ...bank, accountNumber: '123456', routingCode: '123456' })).toEqual({
    country: 'Accounts in this country are paid by IBAN: choose “Bank account with IBAN”.',
  });
});

test('an unknown kind is a bank account with an IBAN', () => {
  expect([toFormKind('paypal'), toFormKind('stripe_connect'), toFormKind(null)]).toEqual([
    'paypal',
    'iban',
    'iban',
  ]);
});
