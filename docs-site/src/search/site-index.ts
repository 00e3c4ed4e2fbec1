import MiniSearch, { type Query } from 'minisearch';
import { formsOf, type WordForms, wordsOf } from './word-forms.ts';

/** A heading of a page, or a call of the API. The server makes these entries and sends them as they are. */
export interface Entry {
  /** Address. */
  readonly u: string;
  /** Title. */
  readonly t: string;
  /** Where that is: section and page, or the call. */
  readonly w: string;
  /** Words. */
  readonly x: string;
}

export interface Hit {
  readonly entry: Entry;
  /** What to mark in its texts, in lower case. */
  readonly marks: readonly string[];
}

export interface SiteIndex {
  /** The best hits first. Every word of the query must be somewhere in a hit. */
  search(query: string): Hit[];
}

const HITS_MAX = 20;
const FIELD_WEIGHTS = { t: 5, w: 2, x: 1 };
const OTHER_WEIGHT = 0.5;
const TITLE_WEIGHT = 1.5;
const PAGE_WEIGHT = 1.5;
const CALL_WEIGHT = 100;
const CALLS_BELOW_WEIGHT = 10;
/** A word that only begins as typed counts less than the whole word; people search while they type. */
const WEIGHTS = { prefix: 0.7, fuzzy: 0.45 };
/** One wrong letter in seven. */
const FUZZINESS = 0.15;

export async function indexEntries(entries: readonly Entry[]): Promise<SiteIndex> {
  const byAddress = new Map(entries.map((entry) => [entry.u, entry]));
  const index = new MiniSearch<Entry>({
    idField: 'u',
    fields: Object.keys(FIELD_WEIGHTS),
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u),
    processTerm: withParts,
  });
  // In steps, so that the page answers to keys meanwhile.
  await index.addAllAsync(entries, { chunkSize: 100 });

  const rank = (query: string, words: readonly WordForms[], fuzzy: number | false) =>
    index.search(toQuery(words), {
      boost: FIELD_WEIGHTS,
      weights: WEIGHTS,
      prefix: true,
      fuzzy,
      boostDocument: (address) => weigh(byAddress.get(address) as Entry, query),
    });

  return {
    search(text) {
      const query = text.trim().toLowerCase();
      const words = wordsOf(query).map(formsOf);
      if (words.length === 0) return [];
      const exact = rank(query, words, false);
      // Slips of the keyboard: only if nothing has the words as they were typed.
      const found = exact.length > 0 ? exact : rank(query, words, FUZZINESS);
      return found.slice(0, HITS_MAX).map(({ id, terms }) => ({
        entry: byAddress.get(id) as Entry,
        marks: marksFor(words, terms),
      }));
    },
  };
}

/** `webhook_events` and `webhookEvents` are also found by their parts. */
function withParts(term: string): string[] | null {
  if (term === '') return null;
  const parts = term.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);
  return [...new Set([term, ...parts].map((one) => one.toLowerCase()))];
}

/** All words, each as it was typed or in its other form, which counts less. */
function toQuery(words: readonly WordForms[]): Query {
  return {
    combineWith: 'AND',
    processTerm: (term) => term.toLowerCase(),
    queries: words.map(({ typed, other }) =>
      other === typed ? typed : { combineWith: 'OR', queries: [typed, asOther(other)] },
    ),
  };
}

const asOther = (form: string): Query => ({
  combineWith: 'AND',
  boostTerm: () => OTHER_WEIGHT,
  queries: [form],
});

/** A typed path is that call, then the calls below it. Titles that begin with the query and whole pages come early. */
function weigh({ u, t, w }: Entry, query: string): number {
  const where = w.toLowerCase();
  if (query.includes('/') && where.includes(query)) {
    return where.endsWith(query) ? CALL_WEIGHT : CALLS_BELOW_WEIGHT;
  }
  const title = t.toLowerCase().startsWith(query) ? TITLE_WEIGHT : 1;
  return u.includes('#') ? title : title * PAGE_WEIGHT;
}

/** The forms of the words; a term that was found although it was typed otherwise is marked as it is. */
function marksFor(words: readonly WordForms[], terms: readonly string[]): string[] {
  const forms = words.flatMap(({ typed, other }) => [typed, other]);
  const begins = forms.flatMap((form) => form.split(' '));
  const others = terms.filter((term) => !begins.some((begin) => term.startsWith(begin)));
  return [...new Set([...forms, ...others])];
}
