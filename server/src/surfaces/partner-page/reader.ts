import { type Formats, formatsFor, listLocales } from './formats.ts';
import { isLanguage, LANGUAGES, type LanguageCode } from './texts/languages.ts';
import type { Texts } from './texts/texts.ts';

/** The language in which somebody reads the page. */
export interface Reader {
  readonly code: LanguageCode;
  readonly dir: 'ltr' | 'rtl';
  readonly texts: Texts;
  readonly formats: Formats;
}

/**
 * Texts are in the chosen language, or else in the most wanted one that we have, or else in English.
 * Amounts and days are written as the reader's browser asks for that language; a reader whose
 * language we do not have gets them in that language.
 */
export function readerFor(chosen: string | undefined, acceptLanguage: string | undefined): Reader {
  const wanted = listLocales(acceptLanguage);
  const codes = wanted.map(languageOf);
  const code = isLanguage(chosen) ? chosen : (codes.find(isLanguage) ?? 'en');
  const own = wanted.find((locale) => languageOf(locale) === code);
  const isWanted = isLanguage(chosen) || codes.some(isLanguage);
  return {
    code,
    dir: RIGHT_TO_LEFT.includes(code) ? 'rtl' : 'ltr',
    texts: LANGUAGES[code].texts,
    formats: formatsFor(own ?? (isWanted ? code : (wanted[0] ?? code))),
  };
}

const RIGHT_TO_LEFT: readonly string[] = ['ar'];

function languageOf(locale: string): string {
  return new Intl.Locale(locale).language;
}
