import { invalid } from '../../../platform/kit/errors.ts';

export const VIEW_NAME_MAX = 60;

/** Characters that are not seen: controls, marks of direction, joiners, fillers. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Not the zero-width space, which JavaScript counts as white space. */
const SPACES = /[\t-\r\u0085\p{Z}]+/gu;
/** In these, a joiner or a selector is part of one picture. */
const EMOJI =
  /\p{ExtPict}\p{EMod}?\uFE0F?(?:\u200D\p{ExtPict}\p{EMod}?\uFE0F?)+|[\p{ExtPict}0-9#*]\uFE0F/gu;
/** Folding once is enough for nearly all texts: each round removes what the one before has uncovered. */
const FOLDS_MAX = 4;

/**
 * The name as it is stored: composed, with single spaces, and without characters that are not seen, except in emoji.
 * Fails with INVALID_REQUEST if nothing is left, or too much.
 */
export function tidyName(name: string): string {
  const spaced = name.replace(SPACES, ' ');
  const emoji = [...spaced.matchAll(EMOJI)].map(([one]) => one);
  const words = spaced.split(EMOJI).map((part) => part.replace(UNSEEN, ''));
  const tidy = words
    .map((part, index) => part + (emoji[index] ?? ''))
    .join('')
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .trim();
  if (tidy === '') throw invalid('name', 'must not be blank');
  if (tidy.length > VIEW_NAME_MAX) {
    throw invalid('name', `must have at most ${VIEW_NAME_MAX} characters`);
  }
  return tidy;
}

/** The same for names that look alike: in any case, composed or not, with or without what is not seen. */
export function foldName(name: string): string {
  let folded = name;
  for (let round = 0; round < FOLDS_MAX; round += 1) {
    folded = folded
      .replace(SPACES, ' ')
      .replace(UNSEEN, '')
      .normalize('NFKC')
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKC')
      .replace(/ +/g, ' ')
      .trim();
  }
  return folded;
}
