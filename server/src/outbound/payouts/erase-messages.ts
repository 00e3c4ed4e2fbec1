import { forgetTexts } from '../../platform/feed/forget-texts.ts';
import { SLICE, type Slice } from '../../platform/feed/writer/slice.ts';
import { clearFailureMessages, listPartsBehind } from './batches/part-store.ts';

/** Clears in which words payouts of a participant failed, in past events too; failure reasons stay. */
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
