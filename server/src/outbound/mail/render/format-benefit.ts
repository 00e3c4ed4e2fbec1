import { formatMajor } from '../../../platform/kit/money.ts';
import type { Language, MailData } from '../kinds.ts';
import { fillText, type MailTexts } from './mail-texts.ts';

/** A benefit in a few words of the language: `€5.00`, `15% discount`, `3 seats`. */
export function formatBenefit(language: Language, texts: MailTexts, data: MailData): string {
  const { money, discountBps, custom } = data;
  if (money) {
    const amount = formatMoney(language, money);
    return data.isCredit ? fillText(texts.credit, { amount }) : amount;
  }
  if (discountBps !== undefined) {
    const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
    return fillText(texts.discount, { percent: percent.format(discountBps / 10_000) });
  }
  if (!custom) return '';
  const { quantity, unitName, unitNamePlural } = custom;
  const count = new Intl.NumberFormat(language).format(quantity);
  return `${count} ${quantity === 1 ? unitName : unitNamePlural}`;
}

/** Exact at any size: the digits never become a floating-point number. */
function formatMoney(
  language: Language,
  { amountMinor, currency, currencyExponent }: NonNullable<MailData['money']>,
): string {
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: currencyExponent,
    maximumFractionDigits: currencyExponent,
  });
  const decimal = formatMajor(BigInt(amountMinor), currencyExponent);
  return format.format(decimal as unknown as number);
}

export function formatDay(language: Language, at: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(at),
  );
}
