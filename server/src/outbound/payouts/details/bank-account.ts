import { isSEPACountry, isValidBIC, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

/** Territories that use the IBANs of another country, from the IBAN registry. */
const IBAN_TERRITORIES: Readonly<Record<string, string>> = {
  FI: 'AX',
  FR: 'BL GF GP MF MQ NC PF PM RE TF WF YT',
  GB: 'GG IM JE',
};

interface Shape {
  readonly routingCode: (code: string) => boolean;
  readonly routingIssue: string;
  readonly accountNumber: RegExp;
  readonly accountIssue: string;
}

/** Formats of account numbers, where known. */
const SHAPES: Readonly<Record<string, Shape>> = {
  US: {
    routingCode: isAbaNumber,
    routingIssue: 'must be an ABA routing number of 9 digits, with its check digit',
    accountNumber: /^\d{4,17}$/,
    accountIssue: 'must have 4 to 17 digits in the US',
  },
  GB: {
    routingCode: (code) => /^\d{6}$/.test(code),
    routingIssue: 'must be a sort code of 6 digits',
    accountNumber: /^\d{8}$/,
    accountIssue: 'must have 8 digits in the UK',
  },
  CA: {
    routingCode: (code) => /^0?\d{8}$/.test(code),
    routingIssue: 'must be a Canadian routing number of 8 digits, or 9 with a leading zero',
    accountNumber: /^\d{7,12}$/,
    accountIssue: 'must have 7 to 12 digits in Canada',
  },
  AU: {
    routingCode: (code) => /^\d{6}$/.test(code),
    routingIssue: 'must be a BSB of 6 digits',
    accountNumber: /^\d{4,10}$/,
    accountIssue: 'must have 4 to 10 digits in Australia',
  },
  IN: {
    routingCode: (code) => /^[A-Z]{4}0[A-Z0-9]{6}$/.test(code),
    routingIssue: 'must be an IFSC such as HDFC0001234',
    accountNumber: /^\d{9,18}$/,
    accountIssue: 'must have 9 to 18 digits in India',
  },
};

const OTHER: Shape = {
  routingCode: (code) => /^[A-Z0-9]{2,20}$/.test(code),
  routingIssue: 'must have 2 to 20 letters and digits',
  accountNumber: /^[A-Z0-9]{4,34}$/,
  accountIssue: 'must have 4 to 34 letters and digits',
};

/**
 * The internal form of banks: no spaces, no dashes, upper case. Letters of other alphabets stay and
 * are refused: upper-casing some of them would give another letter, and so another account.
 */
export function toPlain(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** The error in a plain IBAN for an account in this country; null if it is valid. */
export function faultOfIban(iban: string, country: string): string | null {
  const { valid, errorCodes } = validateIBAN(iban, { allowQRIBAN: false });
  if (!valid) return describeFault(errorCodes);
  const home = iban.slice(0, 2);
  return home === country || home === homeOf(country)
    ? null
    : `belongs to an account in ${home}, not in ${country}`;
}

/** The country whose IBANs accounts there have. */
function homeOf(country: string): string {
  const [home] =
    Object.entries(IBAN_TERRITORIES).find(([, codes]) => codes.split(' ').includes(country)) ?? [];
  return home ?? country;
}

const { NoIBANCountry, WrongBBANLength, QRIBANNotAllowed, WrongIBANChecksum } =
  ValidationErrorsIBAN;
/** The first that applies is reported. */
const FAULTS: readonly (readonly [ValidationErrorsIBAN, string])[] = [
  [NoIBANCountry, 'must begin with the code of a country that has IBANs'],
  [WrongBBANLength, 'does not have the length of an IBAN of its country'],
  [QRIBANNotAllowed, 'is a QR-IBAN, which is only for invoices; use the IBAN of the account'],
  [WrongIBANChecksum, 'is mistyped: its check digits do not match'],
];

function describeFault(codes: readonly ValidationErrorsIBAN[]): string {
  const known = FAULTS.find(([code]) => codes.includes(code));
  return known?.[1] ?? 'is not an IBAN of its country';
}

/** Expects a plain BIC. */
export function isBic(bic: string): boolean {
  return isValidBIC(bic);
}

/** Whether transfers to this country need an IBAN and nothing else. */
export function needsIban(country: string): boolean {
  const home = homeOf(country);
  return isSEPACountry(home) && home !== 'GB';
}

export function faultOfRoutingCode(code: string, country: string): string | null {
  const shape = SHAPES[country] ?? OTHER;
  return shape.routingCode(code) ? null : shape.routingIssue;
}

export function faultOfAccountNumber(account: string, country: string): string | null {
  const shape = SHAPES[country] ?? OTHER;
  return shape.accountNumber.test(account) ? null : shape.accountIssue;
}

/** The sum of the digits, weighted 3, 7, 1 in turn, is a multiple of ten. */
function isAbaNumber(code: string): boolean {
  if (!/^\d{9}$/.test(code) || code === '000000000') return false;
  const weights = [3, 7, 1];
  const sum = [...code].reduce(
    (total, digit, at) => total + Number(digit) * (weights[at % 3] as number),
    0,
  );
  return sum % 10 === 0;
}
