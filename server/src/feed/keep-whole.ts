import type { Database } from '../db/database.ts';
import type { WriteRequest } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import { addMs, toInstant } from '../kit/instant.ts';
import { answerOf, IDEMPOTENCY_MS } from './run-batch.ts';
import { listKeptAnswers } from './store.ts';
import type { ProjectWriter } from './writer.ts';

export interface KeepDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Keeps one answer under an Idempotency-Key for a call that takes several transactions. Its
 * parts must each be safe to repeat: a crash before the answer is kept makes a repeat do so.
 * Ends with CONFLICT for a key that came with another body.
 */
export async function keepWhole<A>(
  { writer, database, clock }: KeepDeps,
  request: WriteRequest,
  work: () => Promise<A>,
): Promise<A> {
  const { idempotency, projectId } = request;
  if (!idempotency) return work();
  const notBefore = addMs(toInstant(clock.nowMs()), -IDEMPOTENCY_MS);
  const keys = [idempotency.keyHash];
  const kept = await listKeptAnswers(database.reads, projectId, keys, notBefore);
  const known = answerOf<A>(kept, idempotency);
  if (known && 'refused' in known) throw known.refused;
  if (known) return known.answer;
  const answer = await work();
  return writer.run(request, async () => ({ answer }));
}
