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
 * Deletes at most `limit` attempts of before `before`, the oldest first, those of deleted endpoints
 * like the others; returns how many. Attempts go by the real time.
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
/** A shorter word stands in answers by chance: only in quotes is it taken for a name. */
const WORD_LENGTH_MIN = 4;

/**
 * Forgets what receivers answered to events about a participant, by whatever name they called
 * them then; and to others, if the answer has one of these words: what they are called now. Walks
 * through all attempts of the Project, in short transactions that take no head.
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
