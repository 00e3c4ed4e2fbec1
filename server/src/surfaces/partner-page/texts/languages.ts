import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Texts } from './texts.ts';

/** The languages of the page, each with its own name. */
export const LANGUAGES = {
  en: { name: 'English', texts: en },
  de: { name: 'Deutsch', texts: de },
  es: { name: 'Español', texts: es },
  fr: { name: 'Français', texts: fr },
  ar: { name: 'العربية', texts: ar },
  ja: { name: '日本語', texts: ja },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly texts: Texts }>>;

export type LanguageCode = keyof typeof LANGUAGES;
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly LanguageCode[];

export function isLanguage(code: unknown): code is LanguageCode {
  return LANGUAGE_CODES.some((known) => known === code);
}
