import type { Tx } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { markFailed } from './details-store.ts';
import type { FoundDetails } from './find-payout-details.ts';

/**
 * Records that a payout failed because of these details. Nothing more is paid to them until their
 * owner saves others, or the same again. Does nothing if they were replaced meanwhile.
 */
export function noteFailedDetails(
  tx: Tx,
  { owner, id }: Pick<FoundDetails, 'owner' | 'id'>,
  now: Instant,
): void {
  markFailed(tx, owner, id, now);
}
