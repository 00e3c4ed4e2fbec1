import { ALPHABET } from '../kit/ids.ts';

/** The first of 26 characters: 0 in all other ids for the next thousand years. */
const MARK = '4';
/** After the prefix and the time. Eight characters are 40 bits. */
const START = 'wev_'.length + 10;
const END = START + 8;
const WITH_POSITION = new RegExp(`^wev_${MARK}[${ALPHABET}]{25}$`);

/**
 * The id of the event at a position of a Project's feed: a new id, with the position in the place of half of its
 * random bits. So the event is found without an index of ids.
 */
export function eventIdAt(newId: string, position: number): string {
  let rest = position;
  let text = '';
  for (let at = START; at < END; at += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return `wev_${MARK}${newId.slice('wev_'.length + 1, START)}${text}${newId.slice(END)}`;
}

/** Where the event is, if it exists; null for an id without a position, as in earlier versions. */
export function positionOf(eventId: string): number | null {
  if (!WITH_POSITION.test(eventId)) return null;
  let position = 0;
  for (const letter of eventId.slice(START, END)) {
    position = position * ALPHABET.length + ALPHABET.indexOf(letter);
  }
  return position;
}
