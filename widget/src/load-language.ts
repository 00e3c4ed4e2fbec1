import { fetch } from './natives.ts';
import { chooseLanguage, ENGLISH, type Language, toLanguage } from './texts.ts';

/** Inserted by the build: the name of the file with exactly this version's texts, by language. */
declare const TEXT_FILES: Readonly<Record<string, string>>;

/**
 * English is in the script. Another language is one more small file of the service; if another
 * version of the service answers, its current texts are used. Null if neither could be loaded.
 */
export async function loadLanguage(
  serviceUrl: string,
  locales: readonly string[],
  signal: AbortSignal,
): Promise<Language | null> {
  const { code, locale } = chooseLanguage(locales, TEXT_FILES);
  if (code === 'en') return { ...ENGLISH, locale };
  for (const file of [TEXT_FILES[code], `${code}.json`]) {
    try {
      const url = `${serviceUrl}widget/${file}`;
      const answer = await fetch(url, { credentials: 'omit', signal });
      if (answer.ok) return toLanguage(code, locale, await answer.json());
    } catch {
      // The other file may still load.
    }
  }
  return null;
}
