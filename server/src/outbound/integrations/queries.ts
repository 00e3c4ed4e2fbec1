export { listConnections as listPayoutConnections } from './payout-connections/payout-connection-store.ts';
export { findConnection as findStripeConnection } from './stripe/connections/connection-store.ts';
