import type { Reward } from './api-types.ts';
import { fill, type Language } from './texts.ts';

const DAY_MS = 86_400_000;

/**
 * Exact at any size: the digits never become a floating-point number if the browser supports it.
 */
export function formatMoney(
  locale: string,
  amountMinor: string,
  currency: string,
  exponent: number,
): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });
  let text = '';
  for (const { type, value } of format.formatToParts(
    toDecimal(amountMinor, exponent) as unknown as number,
  )) {
    // From right to left, `US$` would be drawn as `$US`.
    const isMixed = type === 'currency' && /^ar\b/i.test(locale);
    text += isMixed ? `\u2066${value}\u2069` : value;
  }
  return text;
}

export function toDecimal(amountMinor: string, exponent: number): string {
  if (exponent === 0) return amountMinor;
  const sign = amountMinor.startsWith('-') ? '-' : '';
  const digits = amountMinor.slice(sign.length).padStart(exponent + 1, '0');
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

export function formatDate(locale: string, instant: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(instant));
}

/** The minute at which a change saved at that time takes effect. */
export function formatDayAfter(locale: string, savedAt: string): string {
  const at = new Date(Date.parse(savedAt) + DAY_MS);
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** A reward in a few words: `€5.00`, `15% discount`, `3 seats`. */
export function formatReward({ texts, locale }: Language, reward: Reward): string {
  const { money, discount, custom } = reward;
  if (money) {
    const { netAmountMinor, currency, currencyExponent } = money;
    const amount = formatMoney(locale, netAmountMinor, currency, currencyExponent);
    return reward.benefitKind === 'credit' ? fill(texts.credit, 'amount', amount) : amount;
  }
  if (discount) {
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
    return fill(texts.discount, 'percent', percent.format(discount.rateBps / 10_000));
  }
  if (!custom) return '';
  const { quantity, unitName, unitNamePlural } = custom;
  const count = new Intl.NumberFormat(locale).format(quantity);
  return `${count} ${quantity === 1 ? unitName : unitNamePlural}`;
}

export function formatDays(locale: string, days: number): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'day',
    unitDisplay: 'long',
  });
  return format.format(days);
}
