import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type Stripe from 'stripe';
import type { Queryable } from '../../../../platform/db/driver.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';
import { openStripeKey } from './connection.ts';
import { findConnection } from './connection-store.ts';
import { loadStripe } from './load-stripe.ts';

/** The version that this code and its tests were written for; it fixes the shape of responses. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

const TIMEOUT_MS = 20_000;

/** Another host for Stripe, for tests. */
export interface StripeReach {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
  readonly timeoutMs?: number;
}

// A kept-alive connection sometimes breaks just as it is reused, so none is kept.
const agents = { http: new Agent(), https: new TlsAgent() };
type Protocol = keyof typeof agents;
const httpClients = new Map<Protocol, HttpClient>();

/**
 * A client that calls once and reports the result. Retries are decided where the call is recorded.
 */
export async function createStripeClient(apiKey: string, reach?: StripeReach): Promise<Stripe> {
  const Package = await loadStripe();
  const protocol = reach?.protocol ?? 'https';
  const httpClient =
    httpClients.get(protocol) ?? callingOnce(Package.createNodeHttpClient(agents[protocol]));
  httpClients.set(protocol, httpClient);
  return new Package(apiKey, {
    apiVersion: STRIPE_API_VERSION,
    maxNetworkRetries: 0,
    timeout: reach?.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'Goodword' },
    httpClient,
    ...(reach && { host: reach.host, port: reach.port, protocol: reach.protocol }),
  });
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * The package retries a request over a broken connection even with retries disabled; it detects
 * this by the error's code. The response is then that of the second request alone: it may say "too
 * many requests" although the first was carried out. So the code is removed.
 */
function callingOnce(client: HttpClient): HttpClient {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: (...request) =>
      client.makeRequest(...request).catch((cause: NodeJS.ErrnoException) => {
        const isClosed = cause.code === 'ECONNRESET' || cause.code === 'EPIPE';
        throw isClosed ? new Error('The connection to Stripe broke.', { cause }) : cause;
      }),
  };
}

export interface StripeAccounts {
  isConnected(projectId: string): Promise<boolean>;
  /** Throws for a project without one. */
  open(projectId: string): Promise<Stripe>;
}

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
