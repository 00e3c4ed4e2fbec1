import type { Tx } from '../../../platform/db/database.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { deleteDetailsOf } from './details-store.ts';

/** Erases where a participant was paid. What was paid stays, under ids alone. */
export async function eraseParticipantDetails(
  write: ProjectWrite,
  participantId: string,
): Promise<void> {
  const { tx, projectId } = write;
  deleteDetailsOf(tx, { kind: 'participant', projectId, id: participantId });
}

/** Those of a Partner go with the Partner itself, not with its participant in one Project. */
export function erasePartnerDetails(tx: Tx, partnerId: string): void {
  deleteDetailsOf(tx, { kind: 'partner', projectId: '', id: partnerId });
}
