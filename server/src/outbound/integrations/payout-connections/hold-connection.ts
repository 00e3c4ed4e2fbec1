import type { HoldConnection } from '../../payouts/provider.ts';
import { shareLockConnection } from './payout-connection-store.ts';

/** A change of the connection waits for an order that is about to use it, and vice versa. */
export const holdConnection: HoldConnection = (tx, connectionId) =>
  shareLockConnection(tx, connectionId);
