import type { Database } from '../../../platform/db/database.ts';
import { purgeEach } from '../../../platform/db/purge-each.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import {
  type AttemptPlace,
  clearAnswers,
  deleteAttempts,
  listOldAttempts,
} from './attempt-store.ts';

/**
 * Deletes at most `limit` attempts made before `before`, oldest first, including those of deleted
 * endpoints. Returns the count. Attempts use the real time.
 */
export async function purgeAttempts(
  database: Database,
  before: Instant,
  limit: number,
): Promise<number> {
  const old = await listOldAttempts(database.reads, before, limit);
  return purgeEach(
    database,
    groupBy(old, (key) => key.projectId),
    deleteAttempts,
  );
}

const SLICE = 500;
/** Shorter words occur in responses by chance: they count as a name only in quotes. */
const WORD_LENGTH_MIN = 4;

/**
 * Clears the responses to events about a participant, under whatever name they had then; and to
 * other events, if the response contains one of these words: their present names. Walks through all
 * attempts of the project, in short transactions that do not lock the head.
 */
export async function forgetAnswersAbout(
  database: Database,
  projectId: string,
  participantId: string,
  words: readonly (string | null)[],
): Promise<void> {
  const known = words.flatMap((word) => {
    if (word === null) return [];
    return word.length >= WORD_LENGTH_MIN ? word : JSON.stringify(word);
  });
  const about = { words: known, participantId };
  let place: AttemptPlace | undefined;
  do {
    const slice = { after: place, limit: SLICE };
    place = await database.transaction((tx) => clearAnswers(tx, projectId, about, slice));
  } while (place);
}
