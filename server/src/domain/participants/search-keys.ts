import type { Participant } from './schema.ts';

/** Longer texts are searched by their beginning. Keeps a key below the size that an index accepts. */
const KEY_MAX = 200;

const ACCENTS = /[\u0300-\u036f]/g;
const SPACES = /\s+/g;
const WORD = /(?<=[ !-/:-@[-`{-~‘’“”–—])[^ !-/:-@[-`{-~‘’“”–—]/gu;

/**
 * A text as it is searched: in lower case, without accents. The beginning of a text becomes the beginning of the
 * folded text, so the two forms of the Greek sigma are one. Migration 0004 does the same.
 */
export function foldText(text: string): string {
  return cut(fold(text));
}

/** The texts by whose beginning somebody is found: the name from each of its words on, and the e-mail address. */
export function searchKeysOf({ name, email }: Pick<Participant, 'name' | 'email'>): string[] {
  const tails = name === null ? [] : tailsOf(fold(name));
  const keys = [...tails, ...(email === null ? [] : [fold(email)])].map(cut);
  return [...new Set(keys)].filter((key) => key !== '');
}

function fold(text: string): string {
  const lower = text.normalize('NFD').replace(ACCENTS, '').toLowerCase().replaceAll('ς', 'σ');
  return lower.replace(SPACES, ' ').trim();
}

function tailsOf(name: string): string[] {
  return [name, ...[...name.matchAll(WORD)].map(({ index }) => name.slice(index))];
}

function cut(text: string): string {
  return text.length <= KEY_MAX ? text : [...text].slice(0, KEY_MAX).join('').trimEnd();
}
