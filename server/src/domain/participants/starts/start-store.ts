import type { Tx } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramStart } from '../schema.ts';

export function updateStarts(
  tx: Tx,
  projectId: string,
  participantId: string,
  { starts, now }: { readonly starts: readonly ProgramStart[]; readonly now: Instant },
): void {
  tx.send(
    `update participants set starting_measures = $3::json, updated_at = $4
     where project_id = $1 and id = $2`,
    [projectId, participantId, JSON.stringify(starts), now],
  );
}
