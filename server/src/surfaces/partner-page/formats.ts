import { CURRENCY_EXPONENTS } from '../../platform/kit/currencies.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { formatMajor } from '../../platform/kit/money.ts';

/** Formats amounts, days and names in the reader's language. */
export interface Formats {
  money(amountMinor: bigint, currency: string): string;
  percent(rateBps: number): string;
  count(value: number | bigint): string;
  day(at: Instant): string;
  time(at: Instant): string;
  country(code: string): string;
  currency(code: string): string;
  /** A number on a scale, such as `1.2K` or `$500`; of a currency in major units. */
  short(value: number, currency: string | null): string;
  /** A length of time, such as `12 months`. */
  span(value: number, unit: 'minute' | 'day' | 'month'): string;
  /** Several things, such as `$25.00 and €20.00`. */
  all(texts: readonly string[]): string;
}

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;
const HEADER_MAX = 500;

/** The languages that a reader asks for and that we can format in, most wanted first. */
export function listLocales(acceptLanguage: string | undefined): string[] {
  const requested = (acceptLanguage ?? '')
    .slice(0, HEADER_MAX)
    .split(',')
    .map((part, place) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const quality = parameters.map((one) => /^\s*q=([0-9.]+)\s*$/.exec(one)?.[1]).find(Boolean);
      return { tag, place, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => LANGUAGE.test(tag) && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.place - b.place);
  return requested.flatMap(({ tag }) => findSupported(tag) ?? []);
}

/** A well-formed tag is not always a supported language. */
function findSupported(tag: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
}

export function formatsFor(locale: string): Formats {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  const currencies = new Intl.DisplayNames(locale, { type: 'currency' });
  return {
    money(amountMinor, currency) {
      const digits = CURRENCY_EXPONENTS.get(currency) ?? 0;
      const format = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      // As text it is exact for any size.
      return format.format(formatMajor(amountMinor, digits) as `${number}`);
    },
    percent: (rateBps) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
        rateBps / 10_000,
      ),
    count: (value) => new Intl.NumberFormat(locale).format(value),
    day: (at) => days.format(new Date(at)),
    time: (at) => `${times.format(new Date(at))} UTC`,
    country: (code) => countries.of(code) ?? code,
    currency: (code) => currencies.of(code) ?? code,
    short: (value, currency) =>
      new Intl.NumberFormat(locale, {
        notation: 'compact',
        maximumFractionDigits: 1,
        ...(currency === null
          ? {}
          : {
              style: 'currency',
              currency,
              currencyDisplay: 'narrowSymbol',
              minimumFractionDigits: 0,
            }),
      }).format(value),
    span: (value, unit) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
    all: (texts) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(texts),
  };
}
