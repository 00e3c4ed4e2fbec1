import type { Queryable } from '../../../platform/db/driver.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { type Explanation, presentExplanation } from './explanation.ts';
import { findEvent } from './read-store.ts';

/** What was weighed when an Event was decided; empty while it waits. Ends with NOT_FOUND. */
export async function explainEvent(
  source: Queryable,
  projectId: string,
  eventId: string,
): Promise<Explanation> {
  const event = await findEvent(source, projectId, eventId);
  if (!event) throw notFound('event');
  return presentExplanation(event.explanation);
}
