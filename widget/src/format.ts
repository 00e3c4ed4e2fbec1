import type { Benefit, Reward } from './api-types.ts';
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
export function formatReward(language: Language, reward: Reward): string {
  const { money, discount, custom } = reward;
  const benefitKind = discount ? 'discount' : reward.benefitKind;
  const fixedAmountMinor = money?.netAmountMinor;
  return formatBenefit(language, {
    benefitKind,
    fixedAmountMinor,
    ...money,
    ...discount,
    ...custom,
  });
}

/** Likewise, and a share of purchases: `25%`. */
export function formatBenefit({ texts, locale }: Language, benefit: Benefit): string {
  const { benefitKind, fixedAmountMinor, currency, quantity } = benefit;
  if (fixedAmountMinor && currency) {
    const { currencyExponent } = benefit;
    const amount = formatMoney(locale, fixedAmountMinor, currency, currencyExponent ?? 0);
    return benefitKind === 'credit' ? fill(texts.credit, 'amount', amount) : amount;
  }
  if (quantity) {
    const count = new Intl.NumberFormat(locale).format(quantity);
    return `${count} ${quantity === 1 ? benefit.unitName : benefit.unitNamePlural}`;
  }
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const percent = format.format((benefit.rateBps ?? 0) / 10_000);
  return benefitKind === 'discount' ? fill(texts.discount, 'percent', percent) : percent;
}

export function formatDays(locale: string, days: number): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'day',
    unitDisplay: 'long',
  });
  return format.format(days);
}
