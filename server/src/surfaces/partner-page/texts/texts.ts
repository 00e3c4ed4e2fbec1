import type { en } from './en.ts';

/** Every text of the page, in one language. */
export type Texts = Readonly<Record<keyof typeof en, string>>;
export type TextName = keyof Texts;
