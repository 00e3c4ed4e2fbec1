/** Control, format, private and unassigned characters: people cannot see them, models read them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/**
 * JSON that shows every character: names and other text of strangers cannot hide anything in it.
 * It parses to the same value.
 */
export function toText(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character, index)).join(''),
  );
}

function escapeUnit(text: string, index: number): string {
  return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
}
