import { loadFile } from './load-file.ts';
import { chooseLanguage, ENGLISH, type Language, type SomeTexts, toLanguage } from './texts.ts';

/** Inserted by the build: the name of the file with exactly this version's texts, by language. */
declare const TEXT_FILES: Readonly<Record<string, string>>;

/** English is in the script; another language is one more small file. Null if it could not be loaded. */
export async function loadLanguage(
  serviceUrl: string,
  locales: readonly string[],
  signal: AbortSignal,
): Promise<Language | null> {
  const { code, locale } = chooseLanguage(locales, TEXT_FILES);
  if (code === 'en') return { ...ENGLISH, locale };
  const texts = await loadFile<SomeTexts>(serviceUrl, TEXT_FILES[code], `${code}.json`, signal);
  return texts && toLanguage(code, locale, texts);
}
