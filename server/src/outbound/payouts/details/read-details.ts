import { isCountry } from '../../../domain/partners/applications/countries.ts';
import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import type { Issue } from '../../../platform/kit/errors.ts';
import {
  faultOfAccountNumber,
  faultOfIban,
  faultOfRoutingCode,
  isBic,
  needsIban,
  toPlain,
} from './bank-account.ts';
import type { AccountDetails, IbanDetails, MailDetails, PayoutType } from './details.ts';
import type { PayoutDetailsIn } from './details-schema.ts';

/** Validated input. An account at Stripe is not entered: the provider creates it. */
export type ReadDetails = MailDetails | IbanDetails | AccountDetails | { type: 'stripe_connect' };

export type Reading = { readonly details: ReadDetails } | { readonly issues: readonly Issue[] };

type Field = Exclude<keyof PayoutDetailsIn, 'type'>;

const BANK: readonly Field[] = [
  'holderName',
  'country',
  'currency',
  'iban',
  'bic',
  'accountNumber',
  'routingCode',
];
const FIELDS: Readonly<Record<PayoutType, readonly Field[]>> = {
  paypal: ['email'],
  wise: ['email'],
  bank: BANK,
  stripe_connect: [],
};
const ALL: readonly Field[] = ['email', ...BANK];

/** Checks what the schema cannot. Issues never repeat the input. */
export function readDetails(input: PayoutDetailsIn): Reading {
  const check = new Checker(input);
  for (const field of ALL) {
    if (check.has(field) && !FIELDS[input.type].includes(field)) {
      check.add(field, `is not allowed with type ${input.type}`);
    }
  }
  const details = readByType(input.type, check);
  return check.issues.length > 0 ? { issues: check.issues } : { details };
}

function readByType(type: PayoutType, check: Checker): ReadDetails {
  if (type === 'paypal' || type === 'wise') return { type, email: check.need('email') };
  if (type === 'stripe_connect') return { type };
  return readBank(check);
}

function readBank(check: Checker): IbanDetails | AccountDetails {
  const holderName = check.need('holderName').trim();
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(holderName)) {
    check.add('holderName', 'must be one line without control characters');
  }
  const country = check.need('country').toUpperCase();
  // Kosovo has IBANs but no official ISO code.
  const isKnown = isCountry(country) || country === 'XK';
  if (country !== '' && !isKnown) {
    check.add('country', 'must be a country code of ISO 3166-1 such as DE');
  }
  const currency = check.need('currency').toUpperCase();
  if (currency !== '' && !CURRENCY_EXPONENTS.has(currency)) {
    check.add('currency', 'must be a currency code of ISO 4217 such as EUR');
  }
  const bank = { type: 'bank', holderName, country, currency } as const;
  const byAccount = check.has('accountNumber') || check.has('routingCode');
  if (byAccount && check.has('iban')) {
    check.add('iban', 'cannot be combined with accountNumber and routingCode');
  } else if (byAccount && isKnown && needsIban(country)) {
    check.add('iban', `is required: accounts in ${country} are paid by IBAN`);
  } else if (!byAccount) {
    return { ...bank, ...readIban(check, isKnown ? country : null) };
  }
  return { ...bank, ...readAccount(check, isKnown ? country : null) };
}

/** Without a valid country only missing fields are reported. */
function readIban(check: Checker, country: string | null): Pick<IbanDetails, 'iban' | 'bic'> {
  const iban = toPlain(check.need('iban', 'or accountNumber and routingCode'));
  if (country !== null && iban !== '') check.addFault('iban', faultOfIban(iban, country));
  if (!check.has('bic')) return { iban, bic: null };
  const bic = toPlain(check.need('bic'));
  if (!isBic(bic)) check.add('bic', 'must be a BIC of 8 or 11 characters');
  return { iban, bic };
}

function readAccount(
  check: Checker,
  country: string | null,
): Pick<AccountDetails, 'accountNumber' | 'routingCode'> {
  if (check.has('bic')) check.add('bic', 'is allowed only with iban');
  const accountNumber = toPlain(check.need('accountNumber'));
  const routingCode = toPlain(check.need('routingCode'));
  if (country !== null && check.has('accountNumber')) {
    check.addFault('accountNumber', faultOfAccountNumber(accountNumber, country));
  }
  if (country !== null && check.has('routingCode')) {
    check.addFault('routingCode', faultOfRoutingCode(routingCode, country));
  }
  return { accountNumber, routingCode };
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #input: PayoutDetailsIn;

  constructor(input: PayoutDetailsIn) {
    this.#input = input;
  }

  has(field: Field): boolean {
    return (this.#input[field] ?? null) !== null;
  }

  /** Empty, with an issue, if it is missing. */
  need(field: Field, otherwise?: string): string {
    const value = this.#input[field] ?? null;
    if (value === null) this.add(field, otherwise ? `is required, ${otherwise}` : 'is required');
    return value ?? '';
  }

  add(field: Field, issue: string): void {
    this.issues.push({ path: `details.${field}`, issue });
  }

  addFault(field: Field, fault: string | null): void {
    if (fault !== null) this.add(field, fault);
  }
}
