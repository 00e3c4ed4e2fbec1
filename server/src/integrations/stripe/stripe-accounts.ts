import type Stripe from 'stripe';
import { createStripeClient, type StripeReach } from './client.ts';

/** The Stripe accounts of Projects. */
export interface StripeAccounts {
  isConnected(projectId: string): Promise<boolean>;
  /** Throws for a Project that has none. */
  open(projectId: string): Promise<Stripe>;
}

/** By a connection's API key; `findKey` tells undefined for a Project without a connection. */
export function createStripeAccounts(
  findKey: (projectId: string) => Promise<string | undefined>,
  reach?: StripeReach,
): StripeAccounts {
  return {
    isConnected: async (projectId) => (await findKey(projectId)) !== undefined,
    async open(projectId) {
      const key = await findKey(projectId);
      if (key === undefined) throw new Error(`Project ${projectId} is not connected to Stripe.`);
      return createStripeClient(key, reach);
    },
  };
}
