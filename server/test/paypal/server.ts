import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../src/platform/kit/clock.ts';
import { type FakeAnswer, type FakeRequest, FakeServer } from '../fake-server.ts';
import type { Fault } from '../payout-conformance.ts';

/** Every client with this secret is an account of its own. */
export const PAYPAL_APP = { clientId: 'paypal-client-1', clientSecret: 'paypal-secret-1' };

/** PayPal knows a `sender_batch_id` for so long, and carries it out once more after that. */
const REMEMBERED_MS = 30 * 86_400_000;

export interface PaypalBatch {
  readonly clientId: string;
  readonly id: string;
  readonly key: string;
  readonly madeAt: string;
  readonly item: {
    readonly receiver: string;
    readonly sender_item_id: string;
    readonly amount: { readonly value: string; readonly currency: string };
  };
  /** Of its item. */
  status: string;
  /** Of the batch as a whole. */
  batchStatus: string;
  error: string | null;
  /** Whether the batch tells of its item yet. */
  shows: boolean;
}

/** What goes wrong beside the faults of every provider: a duplicate without a link to the first. */
export type PaypalFault = Fault | 'hang' | 'conflict' | 'no_funds' | 'duplicate_without_link';

/**
 * PayPal as its Payouts API is documented: tokens by client credentials, one payout for a
 * sender_batch_id, a duplicate answered with a link to the first, items that tell their state.
 */
export class PaypalServer {
  readonly batches: PaypalBatch[] = [];
  /** Tokens that were given out. */
  tokens = 0;
  /** Orders that arrived, made or not. */
  orders = 0;
  /** Webhooks that `verify-webhook-signature` vouches for, by their transmission id. */
  readonly sent = new Set<string>();
  /** Whether it cannot say what it has sent. */
  isDeaf = false;
  readonly #faults: PaypalFault[] = [];
  /** Whose each token is. */
  readonly #validTokens = new Map<string, string>();
  readonly #clock: Clock;
  #hung: () => void = () => undefined;
  #server: FakeServer | undefined;

  /** Without a socket of its own: its caller passes requests on to `answer`. */
  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  static async start(): Promise<PaypalServer> {
    const paypal = new PaypalServer();
    paypal.#server = await FakeServer.start((request) => paypal.answer(request));
    return paypal;
  }

  get url(): string {
    return this.#server?.url ?? 'https://api-m.paypal.com';
  }

  fault(...faults: PaypalFault[]): void {
    this.#faults.push(...faults);
  }

  /** The next order is carried out and never answered; resolves once it is carried out. */
  hang(): Promise<void> {
    this.#faults.push('hang');
    return new Promise((resolve) => {
      this.#hung = resolve;
    });
  }

  /** Nothing that has not gone wrong yet will. */
  heal(): void {
    this.#faults.length = 0;
    this.isDeaf = false;
  }

  /** All tokens end at once. */
  endTokens(): void {
    this.#validTokens.clear();
  }

  batch(key: string): PaypalBatch {
    const found = this.batches.find((one) => one.key === key);
    if (!found) throw new Error(`There is no batch ${key}.`);
    return found;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  answer(request: FakeRequest): FakeAnswer | Promise<never> {
    if (request.path === '/v1/oauth2/token') return this.#login(request);
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const clientId = this.#validTokens.get(token);
    if (clientId === undefined) {
      return fail(401, 'invalid_token', 'Token signature verification failed');
    }
    if (request.method === 'POST' && request.path === '/v1/payments/payouts') {
      return this.#order(request, clientId);
    }
    if (request.method === 'POST' && request.path.endsWith('/verify-webhook-signature')) {
      if (this.isDeaf) return fail(503, 'SERVICE_UNAVAILABLE', 'Try again later');
      const event = JSON.parse(request.text);
      const isSent = event.webhook_id === 'WH-1' && this.sent.has(event.transmission_id);
      return { status: 200, body: { verification_status: isSent ? 'SUCCESS' : 'FAILURE' } };
    }
    const id = /^\/v1\/payments\/payouts\/([^/]+)$/.exec(request.path)?.[1];
    if (request.method === 'GET' && id) return this.#show(id, clientId);
    return fail(404, 'RESOURCE_NOT_FOUND', 'No such resource');
  }

  #login({ headers, text }: FakeRequest): FakeAnswer {
    const login = headers.authorization?.replace(/^Basic /, '') ?? '';
    const [clientId = '', secret] = Buffer.from(login, 'base64').toString('utf8').split(':');
    const isForm = text === 'grant_type=client_credentials';
    if (secret !== PAYPAL_APP.clientSecret || !isForm) {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    const token = randomBytes(8).toString('hex');
    this.tokens += 1;
    this.#validTokens.set(token, clientId);
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 32_400 } };
  }

  #order({ text }: FakeRequest, clientId: string): FakeAnswer | Promise<never> {
    this.orders += 1;
    const fault = this.#faults.shift();
    if (fault === 'lost_order') return null;
    if (fault === 'cannot_say') return fail(503, 'SERVICE_UNAVAILABLE', 'Try again later');
    if (fault === 'server_error') return fail(500, 'INTERNAL_ERROR', 'An internal error');
    if (fault === 'throttled') return fail(429, 'RATE_LIMIT_REACHED', 'Too many requests');
    if (fault === 'conflict') return fail(409, 'RESOURCE_CONFLICT', 'Conflict');
    if (fault === 'no_funds') return fail(422, 'INSUFFICIENT_FUNDS', 'Not enough balance');
    const body = JSON.parse(text);
    const key = body.sender_batch_header.sender_batch_id as string;
    const item = body.items[0] as PaypalBatch['item'];
    const isReceiver = /^[^@\s]+@[^@\s]+$/.test(item.receiver);
    if (fault === 'rejected' || !isReceiver) {
      const details = [{ field: 'items[0].receiver', issue: 'Receiver is invalid' }];
      return fail(400, 'VALIDATION_ERROR', 'Invalid request - see details', { details });
    }
    const first = this.batches.findLast((one) => one.key === key && one.clientId === clientId);
    if (first && this.#clock.nowMs() < Date.parse(first.madeAt) + REMEMBERED_MS)
      return this.#refuseDuplicate(first, fault);
    const id = randomBytes(7).toString('hex').toUpperCase().slice(0, 13);
    const state = { status: 'PENDING', batchStatus: 'PENDING', error: null, shows: true };
    const madeAt = new Date(this.#clock.nowMs()).toISOString();
    const made: PaypalBatch = { clientId, id, key, madeAt, item, ...state };
    this.batches.push(made);
    if (fault === 'hang') {
      this.#hung();
      return new Promise<never>(() => undefined);
    }
    if (fault === 'lost_answer') return null;
    return { status: 201, body: { batch_header: this.#header(made), links: [this.#link(made)] } };
  }

  #refuseDuplicate(first: PaypalBatch, fault: PaypalFault | undefined): FakeAnswer {
    const issue = 'Batch with given sender_batch_id already exists';
    return fail(400, 'USER_BUSINESS_ERROR', 'User business error.', {
      details: [{ field: 'SENDER_BATCH_ID', issue }],
      links: fault === 'duplicate_without_link' ? [] : [this.#link(first)],
    });
  }

  #show(id: string, clientId: string): FakeAnswer {
    if (this.#faults[0] === 'cannot_say') {
      this.#faults.shift();
      return fail(503, 'SERVICE_UNAVAILABLE', 'Try again later');
    }
    const batch = this.batches.find((one) => one.id === id && one.clientId === clientId);
    if (!batch) return fail(404, 'INVALID_RESOURCE_ID', 'No such batch');
    const { item, status, error } = batch;
    const shown = {
      payout_item_id: `${id}I`,
      transaction_status: status,
      payout_batch_id: id,
      payout_item: { ...item, recipient_type: 'EMAIL' },
      ...(error ? { errors: { name: error, message: 'About the receiver.' } } : {}),
    };
    return {
      status: 200,
      body: { batch_header: this.#header(batch), items: batch.shows ? [shown] : [] },
    };
  }

  #header({ id, key, item, madeAt, batchStatus }: PaypalBatch) {
    const sender_batch_header = { sender_batch_id: key, recipient_type: 'EMAIL' };
    return {
      payout_batch_id: id,
      batch_status: batchStatus,
      time_created: madeAt,
      sender_batch_header,
      amount: item.amount,
    };
  }

  #link({ id }: PaypalBatch) {
    const href = `${this.url}/v1/payments/payouts/${id}`;
    return { href, rel: 'self', method: 'GET', encType: 'application/json' };
  }
}

function fail(status: number, name: string, message: string, more: object = {}): FakeAnswer {
  return { status, body: { name, message, debug_id: 'f0e1d2', links: [], ...more } };
}
