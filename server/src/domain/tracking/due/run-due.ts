import type { Database } from '../../../platform/db/database.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { dropExpired } from './drop-early.ts';
import { listPeopleDue } from './due-store.ts';
import { type DecideDeps, settleDue } from './settle-due.ts';

/** People or adjustments per round; other writes run in between. */
const SLICE = 200;

/**
 * Decides all purchases of one Project whose wait is over by `dueBy`, and drops adjustments whose
 * purchase did not arrive. The Project's time must have reached `dueBy`, or this would not end.
 */
export async function runDue(
  deps: DecideDeps & { readonly database: Database },
  request: WriteRequest,
  dueBy: Instant,
): Promise<void> {
  // The idempotency key belongs to the answer of the surrounding call.
  const each: WriteRequest = { ...request, idempotency: null };
  while (true) {
    const people = await listPeopleDue(deps.database.reads, each.projectId, dueBy, SLICE);
    if (people.length === 0) break;
    await Promise.all(people.map((participantId) => settleDue(deps, each, participantId)));
  }
  while ((await dropExpired(deps.writer, each, SLICE)) > 0);
}
