import type { Participant } from './schema.ts';

/** Longer texts are searched by their beginning. Keeps a key below the size that an index accepts. */
const KEY_MAX = 200;
/** Words of a name by which somebody is found. A name of 200 characters has no more, unless one stands for a phrase. */
const WORDS_MAX = 100;

/** A class of characters, from ranges in the notation of regular expressions. */
const anyOf = (...ranges: readonly string[]) => ranges.join('');

const CONTROLS = anyOf('\\u0000-\\u0008', '\\u000e-\\u001f', '\\u007f-\\u009f');
/** Soft hyphens, joiners, marks of direction, selectors of variants. */
const HIDDEN = anyOf(
  '\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e',
  '\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb',
);
const INVISIBLE = new RegExp(`[${CONTROLS}${HIDDEN}]`, 'g');
const ACCENTS = /[\u0300-\u036f]/g;
/** Spaces and hyphens, which are typed one for the other. */
const GAPS = /[\t-\r \u1680\u2028\u2029\u058a\u05be\u2010\u2012-\u2015\u2212\u30fb-]+/g;
/** Apostrophes are often left out. A word begins after one as well. */
const APOSTROPHE = anyOf("'`", '\\u02b9-\\u02bf\\u05f3\\u2018-\\u201b\\u2032');
const APOSTROPHES = new RegExp(`[${APOSTROPHE}]`, 'g');
const BETWEEN = anyOf(' !-/:-@\\[-`{-~\\u00ab\\u00bb\\u201c-\\u201f', APOSTROPHE);
const WORD = new RegExp(`(?<=[${BETWEEN}])[^${BETWEEN}]`, 'gu');

/** Letters that Unicode does not take apart, as they are typed without them on the keyboard. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' },
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k', ı: 'i', ȷ: 'j' },
  ...{ ƀ: 'b', ɓ: 'b', ɗ: 'd', ɖ: 'd', ǥ: 'g', ɨ: 'i', ƙ: 'k', ƶ: 'z', ƴ: 'y', ς: 'σ' },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * A text as it is searched: in lower case, in plain letters, without accents and apostrophes, and with spaces for
 * hyphens. The beginning of a text becomes the beginning of the folded text. Folding again changes nothing.
 * Migration 0015 does the same.
 */
export function foldText(text: string): string {
  return finish(fold(text));
}

/** The texts by whose beginning somebody is found: the name from each of its words on, and the e-mail address. */
export function searchKeysOf({ name, email }: Pick<Participant, 'name' | 'email'>): string[] {
  const tails = name === null ? [] : tailsOf(fold(name));
  const keys = [...tails, ...(email === null ? [] : [fold(email)])].map(finish);
  return [...new Set(keys)].filter((key) => key !== '');
}

/** Leaves apostrophes: they say where words begin. */
function fold(text: string): string {
  const typed = text.replace(INVISIBLE, '').replace(/[\u00b4\u1ffd]/g, "'");
  const lower = typed.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  return lower
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(GAPS, ' ')
    .trim();
}

function tailsOf(name: string): string[] {
  const tails = [name, ...[...name.matchAll(WORD)].map(({ index }) => name.slice(index))];
  return tails.slice(0, WORDS_MAX);
}

function finish(text: string): string {
  const whole = text.replace(APOSTROPHES, '').replace(/ +/g, ' ').trim().normalize('NFKD');
  return whole.length <= KEY_MAX ? whole : [...whole].slice(0, KEY_MAX).join('').trimEnd();
}
