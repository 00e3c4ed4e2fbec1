import { CURRENCY_EXPONENTS } from '../../../../platform/kit/currencies.ts';

/**
 * Currencies whose amounts at Stripe are not ISO 4217 with two decimals:
 * docs.stripe.com/currencies, "Zero-decimal currencies" and "Special cases".
 */
const ZERO_DECIMAL = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
/** The last digit of an amount must be 0. */
const THREE_DECIMAL = new Set('BHD JOD KWD OMR TND'.split(' '));
/** These no longer have decimals but are still written with two, which must be 00. */
const WHOLE_WITH_TWO_DECIMALS = new Set(['ISK', 'UGX']);

interface Unit {
  readonly exponent: number;
  /** Every amount is a multiple of this many of Stripe's units. */
  readonly step: bigint;
}

/**
 * Undefined for a currency that Stripe does not support, or whose unit at Stripe is not documented.
 */
function unitOf(currency: string): Unit | undefined {
  if (ZERO_DECIMAL.has(currency)) return { exponent: 0, step: 1n };
  if (THREE_DECIMAL.has(currency)) return { exponent: 3, step: 10n };
  if (WHOLE_WITH_TWO_DECIMALS.has(currency)) return { exponent: 2, step: 100n };
  return CURRENCY_EXPONENTS.get(currency) === 2 ? { exponent: 2, step: 1n } : undefined;
}

const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);

/**
 * Converts ISO minor units to an amount of Stripe's API. Undefined if Stripe cannot represent
 * exactly that amount; see `roundForStripe`. `currency` is in upper case.
 */
export function toStripeAmount(amountMinor: bigint, currency: string): number | undefined {
  const unit = unitOf(currency);
  const isoExponent = CURRENCY_EXPONENTS.get(currency);
  if (!unit || isoExponent === undefined) return undefined;
  const scaled = amountMinor * tenTo(unit.exponent);
  if (scaled % tenTo(isoExponent) !== 0n) return undefined;
  const amount = scaled / tenTo(isoExponent);
  if (amount % unit.step !== 0n) return undefined;
  const asNumber = Number(amount);
  return Number.isSafeInteger(asNumber) ? asNumber : undefined;
}

/** Also accepts Stripe's lower-case currencies. */
export function isKnownCurrency(currency: string): boolean {
  return unitOf(currency.toUpperCase()) !== undefined;
}

/**
 * Converts an amount of Stripe's API to ISO minor units. Undefined if the currency is unknown, or
 * if Stripe has no such amount in it. Also accepts Stripe's lower-case currencies.
 */
export function fromStripeAmount(amount: number, currency: string): bigint | undefined {
  const code = currency.toUpperCase();
  const unit = unitOf(code);
  const isoExponent = CURRENCY_EXPONENTS.get(code);
  if (!unit || isoExponent === undefined || !Number.isSafeInteger(amount)) return undefined;
  if (BigInt(amount) % unit.step !== 0n) return undefined;
  const scaled = BigInt(amount) * tenTo(isoExponent);
  return scaled % tenTo(unit.exponent) === 0n ? scaled / tenTo(unit.exponent) : undefined;
}

/**
 * Rounds an amount towards zero to one that Stripe can represent: 5.124 KWD becomes 5.120.
 * Undefined for a currency that Stripe does not support.
 */
export function roundForStripe(amountMinor: bigint, currency: string): bigint | undefined {
  const unit = unitOf(currency);
  const isoExponent = CURRENCY_EXPONENTS.get(currency);
  if (!unit || isoExponent === undefined) return undefined;
  const finest = (unit.step * tenTo(isoExponent)) / tenTo(unit.exponent);
  const stepMinor = finest > 0n ? finest : 1n;
  return (amountMinor / stepMinor) * stepMinor;
}
