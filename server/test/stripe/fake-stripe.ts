// The service loads it with its first call: whether a process has it already must not change the order of what happens.
import 'stripe';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  STRIPE_API_VERSION,
  type StripeReach,
} from '../../src/outbound/integrations/stripe/connections/client.ts';
import { FakeAccount } from './account.ts';
import { customerRoutes } from './customers.ts';
import { discountRoutes } from './discounts.ts';
import { type Params, parseForm } from './form.ts';
import { type Answer, IdempotencyKeys } from './idempotency.ts';
import { Refusal } from './refusal.ts';
import type { StripeRoute } from './route.ts';

/** What can go wrong with one call. Those that end in `_after` do the work first. */
export type StripeFault =
  /** The connection breaks. */
  | 'reset_before'
  | 'reset_after'
  /** No answer ever comes. */
  | 'silence_before'
  | 'silence_after'
  /** 500, which a repeat under the same idempotency key gets again. */
  | 'error_before'
  | 'error_after'
  /** 429: nothing was done, nothing is kept. */
  | 'throttled'
  /** 429 `lock_timeout`: another request has a lock. Nothing was done, nothing is kept. */
  | 'conflict'
  /** No answer comes, and it is done only when `land` says so. */
  | 'late'
  /** Somebody on the way gives up, in words that are not Stripe's; it is done likewise. */
  | 'gateway'
  /** 401, as after a key was revoked. */
  | 'unauthorized';

interface PlannedFault {
  readonly fault: StripeFault;
  readonly method: string;
  readonly path: RegExp;
  readonly struck: () => void;
}

interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly params: Params;
}

export interface FakeStripe extends StripeBooks {
  /** For `createStripeClient`. */
  readonly reach: StripeReach;
  close(): Promise<void>;
}

export interface StripeBooks {
  /** All that arrived, in order. */
  readonly requests: readonly FakeRequest[];
  /** What the holder of this API key sees; made when it is first named. */
  account(apiKey: string): FakeAccount;
  /** From now on another key opens the account of this one, as after it was rolled. */
  rollKey(apiKey: string, next: string): void;
  /**
   * Makes the next call that fits go wrong, by default the next that changes something. Resolves
   * once it has, before anything is answered.
   */
  fault(fault: StripeFault, where?: { method?: string; path?: RegExp }): Promise<void>;
  /** Nothing goes wrong any more. */
  mend(): void;
  /** What was late arrives. */
  land(): void;
  /** As a day does. */
  forgetKeys(): void;
}

interface StripeOptions {
  readonly routes?: readonly StripeRoute[];
  readonly nowMs?: () => number;
  /**
   * How long the client waits for an answer. Without it, as long as the program does, but for a
   * client in this process that time is over as soon as it is certain that no answer comes.
   */
  readonly timeoutMs?: number;
}

const ROUTES: readonly StripeRoute[] = [...customerRoutes, ...discountRoutes];
const SILENCE = Symbol('silence');
const RESET = Symbol('reset');
const GATEWAY = Symbol('gateway');

/**
 * A Stripe for tests, spoken to over HTTP by the official client. Faithful in what matters for
 * money: idempotency keys, refusals, pages, and calls whose outcome nobody hears of.
 */
export async function startFakeStripe(options: StripeOptions = {}): Promise<FakeStripe> {
  const { timeoutMs } = options;
  const sockets = new Set<Socket>();
  const keepSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  subscribe('net.client.socket', keepSocket);

  /** The client hears what it would hear after its time limit. */
  function letTimePass({ remotePort }: Socket): void {
    if (timeoutMs !== undefined) return;
    for (const socket of sockets) if (socket.localPort === remotePort) socket.emit('timeout');
  }

  const { server, ...books } = createFakeStripe(options, letTimePass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...books,
    reach: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      protocol: 'http',
      ...(timeoutMs !== undefined && { timeoutMs }),
    },
    async close() {
      unsubscribe('net.client.socket', keepSocket);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The like, with a server that does not listen yet. `onSilence` is called when no answer comes. */
export function createFakeStripe(
  options: StripeOptions,
  onSilence: (socket: Socket) => void = () => undefined,
): StripeBooks & { readonly server: Server } {
  const { nowMs = Date.now } = options;
  const routes = [...ROUTES, ...(options.routes ?? [])];
  const accounts = new Map<string, FakeAccount>();
  const keys = new Map<string, IdempotencyKeys>();
  const requests: FakeRequest[] = [];
  const faults: PlannedFault[] = [];
  const late: (() => unknown)[] = [];

  function account(apiKey: string): FakeAccount {
    const known = accounts.get(apiKey);
    if (known) return known;
    const made = new FakeAccount(apiKey.includes('_live_'), () => Math.floor(nowMs() / 1000));
    accounts.set(apiKey, made);
    return made;
  }

  function keysOf(apiKey: string): IdempotencyKeys {
    const known = keys.get(apiKey) ?? new IdempotencyKeys();
    keys.set(apiKey, known);
    return known;
  }

  function nextFault(method: string, path: string): StripeFault | undefined {
    const index = faults.findIndex((one) => one.method === method && one.path.test(path));
    const [found] = index < 0 ? [] : faults.splice(index, 1);
    // After the answer was decided, so that whoever waits finds the work done.
    if (found) setImmediate(found.struck);
    return found?.fault;
  }

  function perform(method: string, path: string, apiKey: string, params: Params): Answer {
    for (const route of routes) {
      const names = route.method === method ? match(route.path, path) : null;
      if (!names) continue;
      const stray = Object.keys(params).find((name) => !route.takes.includes(name));
      if (stray !== undefined) {
        throw new Refusal(400, `Received unknown parameter: ${stray}`, {
          code: 'parameter_unknown',
          param: stray,
        });
      }
      // A copy, as an answer is: what happens later does not change what was said.
      const body = structuredClone(route.run({ account: account(apiKey), path: names, params }));
      return { status: 200, body };
    }
    throw new Refusal(404, `Unrecognized request URL (${method}: ${path}).`);
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer | typeof SILENCE | typeof RESET | typeof GATEWAY> {
    const { method = 'GET' } = request;
    const url = new URL(request.url ?? '/', 'http://stripe.test');
    const form = await readAll(request);
    const apiKey = /^Bearer ((?:sk|rk)_(?:test|live)_\w+)$/.exec(
      request.headers.authorization ?? '',
    )?.[1];
    if (!apiKey) throw new Refusal(401, 'Invalid API Key provided.');
    if (request.headers['stripe-version'] !== STRIPE_API_VERSION) {
      throw new Refusal(400, `Invalid Stripe API version: ${request.headers['stripe-version']}`);
    }
    const params = { ...parseForm(url.searchParams.toString()), ...parseForm(form) };
    const key = request.headers['idempotency-key']?.toString() ?? null;
    requests.push({ method, path: url.pathname, idempotencyKey: key, params });
    const fault = nextFault(method, url.pathname);
    if (fault === 'throttled') {
      throw new Refusal(429, 'Too many requests hit the API too quickly.', { code: 'rate_limit' });
    }
    if (fault === 'conflict') {
      throw new Refusal(429, 'This object cannot be accessed right now.', { code: 'lock_timeout' });
    }
    if (fault === 'unauthorized') throw new Refusal(401, `Expired API Key provided: ${apiKey}`);
    if (fault === 'reset_before') return RESET;
    if (fault === 'silence_before') return SILENCE;
    const carryOut = (): Answer => {
      const ours = method === 'POST' && key !== null ? keysOf(apiKey) : null;
      const kept = ours?.begin(key ?? '', JSON.stringify([method, url.pathname, params])) ?? null;
      if (kept) {
        if (!response.headersSent) response.setHeader('idempotent-replayed', 'true');
        return kept;
      }
      const broken: Answer = {
        status: 500,
        body: new Refusal(500, 'An unknown error occurred.', { type: 'api_error' }).body,
      };
      let answer = broken;
      if (fault !== 'error_before') {
        try {
          answer = perform(method, url.pathname, apiKey, params);
        } catch (error) {
          if (!(error instanceof Refusal) || error.isValidation) {
            ours?.drop(key ?? '');
            throw error;
          }
          answer = { status: error.status, body: error.body };
        }
      }
      if (fault === 'error_after') answer = broken;
      ours?.keep(key ?? '', answer);
      return answer;
    };
    if (fault === 'late' || fault === 'gateway') {
      late.push(carryOut);
      return fault === 'late' ? SILENCE : GATEWAY;
    }
    const answer = carryOut();
    if (fault === 'reset_after') return RESET;
    return fault === 'silence_after' ? SILENCE : answer;
  }

  const server = createServer((request, response) => {
    serve(request, response)
      .catch((error: unknown): Answer => {
        if (error instanceof Refusal) return { status: error.status, body: error.body };
        throw error;
      })
      .then((answer) => {
        if (answer === SILENCE) {
          onSilence(request.socket);
          return;
        }
        if (answer === RESET) {
          request.socket.destroy();
          return;
        }
        if (answer === GATEWAY) {
          response.writeHead(504, { 'content-type': 'text/html' });
          response.end('<html>Gateway Timeout</html>');
          return;
        }
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer.body));
      })
      .catch((error: unknown) => request.socket.destroy(error as Error));
  });

  return {
    server,
    requests,
    account,
    rollKey(apiKey, next) {
      accounts.set(next, account(apiKey));
    },
    fault: (fault, { method = 'POST', path = /./ } = {}) =>
      new Promise((struck) => {
        faults.push({ fault, method, path, struck });
      }),
    mend() {
      faults.length = 0;
    },
    land() {
      for (const carryOut of late.splice(0)) {
        try {
          carryOut();
        } catch (error) {
          // Nobody hears of it.
          if (!(error instanceof Refusal)) throw error;
        }
      }
    },
    forgetKeys() {
      for (const each of keys.values()) each.forgetAll();
    },
  };
}

/** What stands for each `:name` of a route's path, or null if the path is another. */
function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const names: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? '');
    if (part.startsWith(':')) names[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return names;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
