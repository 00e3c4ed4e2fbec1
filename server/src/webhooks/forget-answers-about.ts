import type { Database } from '../db/database.ts';
import { type AttemptPlace, clearAnswers } from './attempt-store.ts';

const SLICE = 2_000;
/** A shorter word stands in answers by chance: only in quotes is it taken for a name. */
const WORD_LENGTH_MIN = 4;

/**
 * Forgets what receivers answered, if it has one of these words: what somebody is called. Walks
 * through all attempts of the Project, in short transactions that take no head.
 */
export async function forgetAnswersAbout(
  database: Database,
  projectId: string,
  words: readonly (string | null)[],
): Promise<void> {
  const known = words.flatMap((word) => {
    if (word === null) return [];
    return word.length >= WORD_LENGTH_MIN ? word : JSON.stringify(word);
  });
  let place: AttemptPlace | undefined;
  do {
    const after = place;
    place = await database.transaction((tx) => clearAnswers(tx, projectId, known, after, SLICE));
  } while (place);
}
