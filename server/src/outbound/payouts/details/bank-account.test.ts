import { describe, expect, test } from 'vitest';
import {
  faultOfAccountNumber,
  faultOfIban,
  faultOfRoutingCode,
  isBic,
  needsIban,
  toPlain,
} from './bank-account.ts';

describe('an IBAN', () => {
  // The examples in the IBAN registry.
  test.each([
    ['DE', 'DE89 3704 0044 0532 0130 00'],
    ['GB', 'GB29-NWBK-6016-1331-9268-19'],
    ['FR', 'FR14 2004 1010 0505 0001 3M02 606'],
    ['NO', 'no93 8601 1117 947'],
    ['MT', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S'],
    ['CH', 'CH93 0076 2011 6238 5295 7'],
    ['XK', 'XK05 1212 0123 4567 8906'],
    ['SA', 'SA03 8000 0000 6080 1016 7519'],
  ])('of %s is taken as people write it', (country, iban) => {
    expect(faultOfIban(toPlain(iban), country)).toBeNull();
  });

  test('is of its own country, or of a territory whose accounts have the same IBANs', () => {
    const french = toPlain('FR14 2004 1010 0505 0001 3M02 606');
    expect(faultOfIban(french, 'RE')).toBeNull();
    expect(faultOfIban(french, 'MC')).toContain('in FR, not in MC');
    expect(faultOfIban(toPlain('GB29NWBK60161331926819'), 'JE')).toBeNull();
    expect(faultOfIban(toPlain('GB29NWBK60161331926819'), 'IE')).not.toBeNull();
  });

  test.each([
    ['one digit wrong', 'DE89370400440532013001', /check digits/],
    ['two digits swapped', 'DE89370400440532010300', /check digits/],
    ['too short', 'DE8937040044053201300', /the length of an IBAN/],
    ['of no country', 'US89370400440532013000', /country/],
    ['nothing', '', /country/],
    ['a word', 'constructor', /country/],
    ['a QR-IBAN', 'CH4431999123000889012', /QR-IBAN/],
    ['with a letter where a digit belongs', 'DE89370400440532O13000', /not an IBAN|check/],
  ])('%s is told as such', (_name, iban, fault) => {
    expect(faultOfIban(toPlain(iban), 'DE')).toMatch(fault);
  });

  test('is all that transfers in the euro payments area take, but in the UK', () => {
    for (const country of ['DE', 'FR', 'CH', 'NO', 'RE', 'AX'])
      expect(needsIban(country)).toBe(true);
    for (const country of ['GB', 'JE', 'US', 'BR', 'XX']) expect(needsIban(country)).toBe(false);
  });
});

test('letters that only look like others, or become others in upper case, are not taken for them', () => {
  expect(toPlain('ab 12–34\u00a0-c')).toBe('AB1234C');
  for (const letter of ['ß', 'ı', 'ſ', 'А', '１', 'é']) {
    expect(faultOfAccountNumber(toPlain(`${letter}12345`), 'BR')).not.toBeNull();
    expect(faultOfRoutingCode(toPlain(`${letter}12345`), 'BR')).not.toBeNull();
  }
  expect(faultOfIban(toPlain('MT84 MALT 0110 0001 2345 MTLC AſT0 01S'), 'MT')).not.toBeNull();
});

test('a BIC has eight or eleven characters and a country', () => {
  for (const bic of ['COBADEFF', 'COBADEFFXXX', 'CHASUS33']) expect(isBic(bic)).toBe(true);
  for (const bic of ['', 'COBA', 'COBADEFFXX', 'COBAZZFF', '12345678', 'COBADEFFXXXX']) {
    expect(isBic(bic)).toBe(false);
  }
});

describe('routing codes and account numbers', () => {
  test.each<[string, string, string]>([
    ['US', '021000021', '1234'],
    ['US', '011401533', '12345678901234567'],
    ['GB', '601613', '31926819'],
    ['CA', '00010003', '1234567'],
    ['CA', '000310001', '123456789012'],
    ['AU', '032000', '123456'],
    ['IN', 'HDFC0001234', '123456789'],
    ['BR', '00000208', '12345X'],
  ])('of %s are taken: %s %s', (country, routing, account) => {
    expect(faultOfRoutingCode(routing, country)).toBeNull();
    expect(faultOfAccountNumber(account, country)).toBeNull();
  });

  test.each<[string, string, string]>([
    ['US', '021000022', '123'],
    ['US', '000000000', '123456789012345678'],
    ['US', '02100002', '12345A'],
    ['GB', '60161', '3192681'],
    ['GB', '6016133', '319268190'],
    ['CA', '1000310001', '123456'],
    ['AU', '03200', '12345678901'],
    ['IN', 'HDFC1001234', '12345678'],
    ['BR', '', '<>'],
    ['BR', 'a', '1'],
  ])('of %s are refused: %s %s', (country, routing, account) => {
    expect(faultOfRoutingCode(routing, country)).not.toBeNull();
    expect(faultOfAccountNumber(account, country)).not.toBeNull();
  });

  test('any one digit of an ABA number changed is noticed', () => {
    const good = '021000021';
    for (let at = 0; at < good.length; at += 1) {
      for (const digit of '0123456789') {
        const changed = good.slice(0, at) + digit + good.slice(at + 1);
        expect(faultOfRoutingCode(changed, 'US') === null).toBe(changed === good);
      }
    }
  });
});
