import type { Environment } from '../../platform/http/access/principal.ts';
import type { StripeReach } from './stripe/connections/client.ts';

/** Where the providers' APIs are. */
export interface ProviderHosts {
  readonly paypal: Readonly<Record<Environment, string>>;
  readonly wise: Readonly<Record<Environment, string>>;
  /** Null for where its own package finds it. */
  readonly stripe: StripeReach | null;
}

export const PROVIDER_HOSTS: ProviderHosts = {
  paypal: { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  wise: { sandbox: 'https://api.wise-sandbox.com', live: 'https://api.wise.com' },
  stripe: null,
};
