import Stripe from 'stripe';

/** What our code and tests were written for; answers keep this shape whatever Stripe does later. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

const TIMEOUT_MS = 20_000;

/** Where Stripe is, if it is not where it always is; for tests. */
export interface StripeReach {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
  readonly timeoutMs?: number;
}

/**
 * A client that calls and says what came of it: whether to call again is decided where it is
 * written down that a call was made. Only over a connection that broke does the package itself send
 * a request a second time, and nothing turns that off; so whatever must happen once needs an
 * idempotency key, or an id of ours.
 */
export function createStripeClient(apiKey: string, reach?: StripeReach): Stripe {
  return new Stripe(apiKey, {
    apiVersion: STRIPE_API_VERSION,
    maxNetworkRetries: 0,
    timeout: reach?.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'Goodword' },
    ...(reach && { host: reach.host, port: reach.port, protocol: reach.protocol }),
  });
}
