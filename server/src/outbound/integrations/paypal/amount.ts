import { formatMajor } from '../../../platform/kit/money.ts';

/** The currencies of PayPal's payouts; https://developer.paypal.com/reference/currency-codes/. */
const CURRENCIES = new Set(
  `AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD
   USD`.split(/\s+/),
);
/** PayPal takes whole units only, whatever minor unit ISO 4217 defines. */
const WHOLE = new Set(['HUF', 'JPY', 'TWD']);

/**
 * The amount in PayPal's form, or the reason why PayPal cannot pay it. Never a different amount.
 */
export function toPaypalAmount(
  amountMinor: bigint,
  currency: string,
  exponent: number,
): { readonly value: string } | { readonly fault: string } {
  if (!CURRENCIES.has(currency)) return { fault: `PayPal does not pay out in ${currency}.` };
  if (!WHOLE.has(currency)) return { value: formatMajor(amountMinor, exponent) };
  const unit = 10n ** BigInt(exponent);
  if (amountMinor % unit !== 0n) return { fault: `PayPal pays ${currency} in whole units only.` };
  return { value: String(amountMinor / unit) };
}
