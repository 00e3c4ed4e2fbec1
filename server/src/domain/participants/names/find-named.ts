import type { Queryable } from '../../../platform/db/driver.ts';
import type { Participant, ParticipantRef } from '../schema.ts';
import { findByRef } from '../store.ts';

/** Whom a caller names, if the Project has them. Nobody is made by it, and the erased are nobody. */
export function findNamed(
  source: Queryable,
  projectId: string,
  ref: ParticipantRef,
): Promise<Participant | undefined> {
  return findByRef(source, projectId, ref);
}
