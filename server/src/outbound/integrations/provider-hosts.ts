import type { Environment } from '../../platform/http/access/principal.ts';
import type { StripeReach } from './stripe/connections/client.ts';

/** Hosts of the providers' APIs. */
export interface ProviderHosts {
  readonly paypal: Readonly<Record<Environment, string>>;
  readonly wise: Readonly<Record<Environment, string>>;
  /** Null: the host that Stripe's package uses. */
  readonly stripe: StripeReach | null;
}

export const PROVIDER_HOSTS: ProviderHosts = {
  paypal: { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  wise: { sandbox: 'https://api.wise-sandbox.com', live: 'https://api.wise.com' },
  stripe: null,
};
