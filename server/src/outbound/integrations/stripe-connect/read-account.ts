import Stripe from 'stripe';
import { invalid } from '../../../platform/kit/errors.ts';
import { createStripeClient, type StripeReach } from '../stripe/connections/client.ts';
import { askStripe } from './onboarding.ts';

/**
 * The account that a key belongs to; a rolled key belongs to the same one. Fails with INVALID_REQUEST
 * for a key without permission to read it, or SERVICE_UNAVAILABLE when Stripe does not answer.
 */
export function readAccountId(secretKey: string, reach: StripeReach | null): Promise<string> {
  const client = createStripeClient(secretKey, reach ?? undefined);
  return askStripe(async () => {
    try {
      return (await client.accounts.retrieveCurrent()).id;
    } catch (error) {
      const isRefused =
        error instanceof Stripe.errors.StripeAuthenticationError ||
        error instanceof Stripe.errors.StripePermissionError;
      if (!isRefused) throw error;
      throw invalid(
        'stripeConnect.secretKey',
        'was refused by Stripe when it was to read its own account: it must be valid, and a restricted key must be allowed to read accounts',
      );
    }
  });
}
