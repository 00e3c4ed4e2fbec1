import en from './texts/en.json';

export type Texts = typeof en;
export type TextName = keyof Texts;

export interface Language {
  readonly texts: Texts;
  /** For dates and money: the requested locale, if the texts are in its language. */
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
}

export const ENGLISH: Language = { texts: en, locale: 'en', dir: 'ltr' };

/** The first requested language with texts: its code, and the requested tag. */
export function chooseLanguage(
  locales: readonly string[],
  known: Readonly<Record<string, unknown>>,
): { readonly code: string; readonly locale: string } {
  for (const locale of locales) {
    const code = codeOf(locale);
    if (code === 'en' || Object.hasOwn(known, code)) return { code, locale };
  }
  return { code: 'en', locale: 'en' };
}

function codeOf(locale: string): string {
  try {
    return new Intl.Locale(locale).language;
  } catch {
    return '';
  }
}

/** By name, or in the order of the English texts. Missing ones are shown in English. */
export type SomeTexts = Partial<Texts> | readonly string[];

export function toLanguage(code: string, locale: string, some: SomeTexts): Language {
  const texts: Record<string, string> = { ...en };
  let n = 0;
  for (const name of Object.keys(en) as TextName[]) {
    const text = Array.isArray(some) ? some[n++] : (some as Partial<Texts>)[name];
    if (text) texts[name] = text;
  }
  return { texts: texts as Texts, locale, dir: code === 'ar' ? 'rtl' : 'ltr' };
}

/** A program's own texts. */
export type OwnText = 'triggerText' | 'title' | 'subtitle' | 'shareMessage';

/**
 * A text of the program; a default text is shown in the reader's language. So is the default subtitle of 0.2.0, known by
 * its end: it promised something to both, whatever the terms were.
 */
export function sayOwn(given: string, name: OwnText, texts: Texts): string {
  return given === en[name] || given.endsWith(' it, you both benefit.') ? texts[name] : given;
}

/** Replaces the name in braces by a value, which is not processed further. */
export function fill(text: string, name: string, value: string): string {
  return text.replaceAll(`{${name}}`, () => value);
}
