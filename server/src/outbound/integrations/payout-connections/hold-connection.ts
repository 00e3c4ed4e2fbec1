import type { HoldConnection } from '../../payouts/provider.ts';
import { shareLockConnection } from './payout-connection-store.ts';

/** Whoever changes the connection waits for whoever is about to order through it, and the reverse. */
export const holdConnection: HoldConnection = (tx, connectionId) =>
  shareLockConnection(tx, connectionId);
