import { expect, test } from 'vitest';
import { COUNTRIES } from '../../server/src/domain/partners/applications/countries.ts';
import { CURRENCY_EXPONENTS } from '../../server/src/platform/kit/currencies.ts';
import known from './codes.json';
import { listChoices } from './codes.ts';
import { Failure } from './failure.ts';
import { explain, kindsOf } from './payout-form.ts';
import { ENGLISH } from './texts.ts';

const { texts } = ENGLISH;
const refused = (...issues: [string, string][]) =>
  new Failure(
    'invalid',
    issues.map(([path, issue]) => ({ path, issue })),
  );

test('what the service refuses stands at its field, in English in its own words', () => {
  const error = refused(['details.iban', 'has a mistake'], ['details.currency', 'is odd']);
  expect(explain(error, 'iban', texts, 'en-GB')).toEqual({
    iban: 'IBAN has a mistake.',
    currency: 'Currency of the account is odd.',
  });
  expect(explain(error, 'iban', texts, 'de')).toEqual({
    iban: texts.invalid,
    currency: texts.invalid,
  });
});

test('the country of an IBAN, which nobody was asked for, is a matter of the IBAN', () => {
  const error = refused(['details.country', 'must be a country code']);
  expect(explain(error, 'iban', texts, 'en')).toEqual({ iban: texts.invalid });
  expect(explain(error, 'account', texts, 'en')).toHaveProperty('country');
});

test.each([
  [refused(['details.type', 'cannot be']), texts.errorHint],
  [new Failure('forbidden'), texts.forbidden],
  [new Failure('offline'), texts.offline],
  [new Failure('failed'), texts.errorHint],
  [new Error('of the panel'), texts.errorHint],
])('%o is told for the whole form', (error, text) => {
  expect(explain(error, 'paypal', texts, 'en')).toEqual({ '': text });
});

test('a bank account is asked for in two ways, and Stripe only where it is offered', () => {
  expect(kindsOf(['paypal', 'wise', 'bank'])).toEqual(['iban', 'account', 'paypal', 'wise']);
  expect(kindsOf(['stripe_connect'])).toEqual(['stripe_connect']);
});

test('what can be chosen is just what the service takes, under its name', () => {
  expect(known.countries).toEqual([...COUNTRIES, 'XK'].sort());
  expect(known.currencies).toEqual([...CURRENCY_EXPONENTS.keys()].sort());
  const choices = listChoices(known.countries, 'region', 'de');
  expect(choices.map(({ code }) => code).sort()).toEqual(known.countries);
  expect(choices.find(({ code }) => code === 'DE')?.name).toBe('Deutschland');
  expect(choices.findIndex(({ code }) => code === 'AT')).toBeGreaterThan(
    choices.findIndex(({ code }) => code === 'AR'),
  );
});
