import { forgetTexts } from '../../platform/feed/queries.ts';
import { SLICE, type Slice } from '../../platform/feed/writer/project-write.ts';
import { clearFailureMessages, listPartsBehind } from './batches/part-store.ts';

/**
 * Clears failure messages of a participant's payouts, in past events as well; failure reasons stay.
 */
export function eraseMessages(participantId: string, after = 0): Slice {
  return async (write) => {
    const { tx, projectId } = write;
    const parts = await listPartsBehind(tx, projectId, participantId, { after, limit: SLICE });
    const payoutIds = parts.map(({ payoutId }) => payoutId);
    if (payoutIds.length > 0) clearFailureMessages(tx, projectId, payoutIds);
    forgetTexts(write, payoutIds);
    const last = parts[SLICE - 1];
    return last ? eraseMessages(participantId, last.number) : null;
  };
}
