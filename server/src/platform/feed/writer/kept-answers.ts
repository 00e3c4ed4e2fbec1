import type { Database } from '../../db/database.ts';
import { purgeEach } from '../../db/purge-each.ts';
import type { WriteRequest } from '../../http/access/principal.ts';
import type { Clock } from '../../kit/clock.ts';
import { addMs, type Instant, toInstant } from '../../kit/instant.ts';
import {
  deleteKeptAnswersOf,
  deleteOldKeptAnswers,
  listKeptAnswers,
  listProjectsWithOldAnswers,
} from '../store.ts';
import type { ProjectWrite } from './project-write.ts';
import { answerOf, IDEMPOTENCY_MS } from './run-batch.ts';
import type { ProjectWriter } from './writer.ts';

export interface AnswerDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * The stored answer of the request's Idempotency-Key, if any: for a call that must not fail, when
 * it is repeated, at what it does before it writes. The write itself checks again. Fails with
 * CONFLICT for a key that was used with another body.
 */
export async function findKeptAnswer<A>(
  { database, clock }: Omit<AnswerDeps, 'writer'>,
  { idempotency, projectId }: WriteRequest,
): Promise<{ readonly answer: A } | undefined> {
  if (!idempotency) return undefined;
  const notBefore = addMs(toInstant(clock.nowMs()), -IDEMPOTENCY_MS);
  const keys = [idempotency.keyHash];
  const kept = await listKeptAnswers(database.reads, projectId, keys, notBefore);
  const known = answerOf<A>(kept, idempotency);
  if (known && 'refused' in known) throw known.refused;
  return known;
}

/**
 * Stores one answer under an Idempotency-Key for a call that takes several transactions. Its parts
 * must each be safe to repeat: after a crash before the answer is stored, a repeat runs them again.
 * Fails with CONFLICT for a key that was used with another body.
 */
export async function answerOnce<A>(
  deps: AnswerDeps,
  request: WriteRequest,
  work: () => Promise<A>,
): Promise<A> {
  if (!request.idempotency) return work();
  const known = await findKeptAnswer<A>(deps, request);
  if (known) return known.answer;
  const answer = await work();
  return deps.writer.run(request, async () => ({ answer }));
}

/** Erases the answers stored for Idempotency-Keys that contain data of this participant. */
export async function forgetAnswers(write: ProjectWrite, participantId: string): Promise<void> {
  deleteKeptAnswersOf(write.tx, write.projectId, participantId);
}

/** Deletes at most `limit` answers per Project whose Idempotency-Key has expired. */
export async function purgeAnswers(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -IDEMPOTENCY_MS);
  const projectIds = await listProjectsWithOldAnswers(database.reads, before);
  const cutoffs = projectIds.map((id) => [id, before] as const);
  return purgeEach(database, cutoffs, (tx, id) => deleteOldKeptAnswers(tx, id, before, limit));
}
