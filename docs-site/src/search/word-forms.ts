/** Splits a text into its words, in lower case. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);

/** What people type, and what the pages say instead. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  fulfilment: 'fulfil',
  gdpr: 'erase',
  timezone: 'time zone',
};
const STEM_MIN = 4;

/** A word of a query. */
export interface WordForms {
  readonly typed: string;
  /** Its stem, or what the pages say instead; the typed word if there is neither. */
  readonly other: string;
}

export function formsOf(typed: string): WordForms {
  const other = OTHER_WORDS[typed] ?? typed.replace(/(?:ment|ing|ed|e?s)$/, '');
  return { typed, other: other.length < STEM_MIN ? typed : other };
}
