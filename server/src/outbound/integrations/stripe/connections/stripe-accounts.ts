import type Stripe from 'stripe';
import type { Queryable } from '../../../../platform/db/driver.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';
import { createStripeClient, type StripeReach } from './client.ts';
import { findConnection } from './connection-store.ts';
import { openStripeKey } from './open-connection.ts';

/** The Stripe accounts of projects. */
export interface StripeAccounts {
  isConnected(projectId: string): Promise<boolean>;
  /** Throws for a project without one. */
  open(projectId: string): Promise<Stripe>;
}

/** The accounts that projects have connected. */
export function createStripeAccounts(
  { reads, keyring }: { readonly reads: Queryable; readonly keyring: Keyring },
  reach?: StripeReach,
): StripeAccounts {
  return {
    isConnected: async (projectId) => (await findConnection(reads, projectId)) !== undefined,
    async open(projectId) {
      const connection = await findConnection(reads, projectId);
      if (!connection) throw new Error(`Project ${projectId} is not connected to Stripe.`);
      return createStripeClient(openStripeKey(keyring, connection), reach);
    },
  };
}
