/**
 * The part of highlight.js that the docs use. The package's own types bring the whole DOM along, and the
 * server would then compile with `document` and `window`. tsconfig.json puts this file in their place.
 */
declare module 'highlight.js' {
  export interface Mode {
    readonly scope?: string;
    readonly className?: string;
    readonly match?: RegExp;
  }

  export interface Language {
    readonly keywords: Readonly<Record<string, unknown>>;
    readonly contains: readonly Mode[];
  }

  export type LanguageFn = (api: HLJSApi) => Language;

  export interface HLJSApi {
    registerLanguage(name: string, language: LanguageFn): void;
    getLanguage(name: string): Language | undefined;
    highlight(
      text: string,
      options: { readonly language: string; readonly ignoreIllegals: boolean },
    ): { readonly value: string };
  }

  const hljs: HLJSApi;
  export default hljs;
}

declare module 'highlight.js/lib/languages/*' {
  import type { LanguageFn } from 'highlight.js';

  const language: LanguageFn;
  export default language;
}
