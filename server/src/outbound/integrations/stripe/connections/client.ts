import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
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

// A connection that was kept breaks now and then just as it is used again: so none is.
const agents = { http: new Agent(), https: new TlsAgent() };
const clients = {
  http: callingOnce(Stripe.createNodeHttpClient(agents.http)),
  https: callingOnce(Stripe.createNodeHttpClient(agents.https)),
};

/**
 * A client that calls once and says what came of it: whether to call again is decided where it is
 * written down that a call was made.
 */
export function createStripeClient(apiKey: string, reach?: StripeReach): Stripe {
  return new Stripe(apiKey, {
    apiVersion: STRIPE_API_VERSION,
    maxNetworkRetries: 0,
    timeout: reach?.timeoutMs ?? TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'Goodword' },
    httpClient: clients[reach?.protocol ?? 'https'],
    ...(reach && { host: reach.host, port: reach.port, protocol: reach.protocol }),
  });
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * The package sends a request a second time over a connection that broke, even when told never to,
 * which it knows by the error's code. Then the answer is the second's alone: "too many requests",
 * though the first was carried out. So the code goes.
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
