import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/platform/kit/clock.ts';
import { type FakeAnswer, type FakeRequest, FakeServer } from '../fake-server.ts';

export const WISE_ACCOUNT = { profileId: '4711', token: 'wise-token-0001' };

export type WiseStep = 'recipient' | 'quote' | 'transfer' | 'fund' | 'cancel' | 'find' | 'list';
/** `lost` cuts the connection ahead of the work, `done_and_lost` after it. */
export type WiseFault =
  | 'hang'
  | 'lost'
  | 'done_and_lost'
  | 'no_funds'
  | 'no_option'
  /** Somebody else funds it first. */
  | 'overtaken'
  /** The like, and this one may not. */
  | 'overtaken_and_forbidden'
  | number;

interface Quote {
  readonly id: string;
  readonly currency: string;
  readonly amount: number;
  isUsed: boolean;
}

export interface WiseTransfer {
  readonly id: number;
  readonly customerTransactionId: string;
  readonly targetAccount: number;
  readonly targetCurrency: string;
  readonly reference: string;
  readonly created: string;
  targetValue: number;
  status: string;
  /** How often its amount has left the balance. */
  funded: number;
}

/** Wise as its API is documented, for one profile that pays from its balance. */
export class WiseServer {
  readonly recipients: Record<string, unknown>[] = [];
  readonly quotes: Quote[] = [];
  readonly transfers: WiseTransfer[] = [];
  /** Pages of lists that were asked for. */
  pages = 0;
  readonly #faults: { readonly step: WiseStep; readonly fault: WiseFault; after: number }[] = [];
  readonly #clock: Clock;
  #hung: () => void = () => undefined;
  #server!: FakeServer;

  /** Without a socket of its own: its caller passes requests on to `answer`. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  static async start(clock: Clock): Promise<WiseServer> {
    const wise = new WiseServer(clock);
    wise.#server = await FakeServer.start((request) => wise.answer(request));
    return wise;
  }

  get url(): string {
    return this.#server.url;
  }

  /** The next call of this step is carried out and never answered; resolves once it is. */
  hang(step: WiseStep): Promise<void> {
    this.#faults.push({ step, fault: 'hang', after: 0 });
    return new Promise((resolve) => {
      this.#hung = resolve;
    });
  }

  /** The next call of this step goes wrong, or one after so many others. */
  fault(step: WiseStep, fault: WiseFault, after = 0): void {
    this.#faults.push({ step, fault, after });
  }

  /** Nothing that has not gone wrong yet will. */
  heal(): void {
    this.#faults.length = 0;
  }

  transfer(transactionId: string): WiseTransfer {
    const found = this.transfers.find((one) => one.customerTransactionId === transactionId);
    if (!found) throw new Error(`There is no transfer ${transactionId}.`);
    return found;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  answer(request: FakeRequest): FakeAnswer | Promise<never> {
    const { profileId, token } = WISE_ACCOUNT;
    if (request.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { error: 'invalid_token' } };
    }
    const { method, path } = request;
    const id = Number(/\/transfers\/(\d+)/.exec(path)?.[1] ?? 0);
    switch (`${method} ${path.replace(`/${profileId}/`, '/P/').replace(/\d{3,}/, 'N')}`) {
      case 'POST /v1/accounts':
        return this.#step('recipient', () => this.#addRecipient(JSON.parse(request.text)));
      case 'POST /v3/profiles/P/quotes':
        return this.#step('quote', () => this.#addQuote(JSON.parse(request.text)));
      case 'POST /v1/transfers':
        return this.#step('transfer', () => this.#addTransfer(JSON.parse(request.text)));
      case 'POST /v3/profiles/P/transfers/N/payments':
        return this.#step('fund', (fault) => this.#fund(id, fault));
      case 'PUT /v1/transfers/N/cancel':
        return this.#step('cancel', () => this.#cancel(id));
      case 'GET /v1/accounts/N':
        return this.#showRecipient(Number(/\d+$/.exec(path)?.[0]));
      case 'GET /v1/transfers/N':
        return this.#step('find', () => this.#show(id));
      case 'GET /v1/transfers':
        return this.#step('list', () => this.#list(request.query));
      default:
        return fail(404, 'not-found');
    }
  }

  #step(
    step: WiseStep,
    work: (fault: WiseFault | undefined) => FakeAnswer,
  ): FakeAnswer | Promise<never> {
    const fault = this.#nextFault(step);
    if (fault === 'lost') return null;
    if (typeof fault === 'number') return fail(fault, 'error.service');
    const answer = work(fault);
    if (fault === 'hang') {
      this.#hung();
      return new Promise<never>(() => undefined);
    }
    return fault === 'done_and_lost' ? null : answer;
  }

  #nextFault(step: WiseStep): WiseFault | undefined {
    const at = this.#faults.findIndex((one) => one.step === step);
    const next = this.#faults[at];
    if (!next) return undefined;
    next.after -= 1;
    if (next.after >= 0) return undefined;
    this.#faults.splice(at, 1);
    return next.fault;
  }

  #addRecipient(body: Record<string, unknown>): FakeAnswer {
    const isNamed = /\S\S+ \S+/.test(String(body.accountHolderName));
    if (String(body.profile) !== WISE_ACCOUNT.profileId) return fail(403, 'profile.forbidden');
    if (!isNamed) return fail(422, 'NOT_VALID', 'accountHolderName');
    if (body.type === 'aba') return fail(422, 'NOT_VALID', 'address');
    this.recipients.push(body);
    return { status: 200, body: { id: 100_000 + this.recipients.length, ...body, active: true } };
  }

  #showRecipient(id: number): FakeAnswer {
    const found = this.recipients[id - 100_001];
    return found ? { status: 200, body: { id, ...found } } : fail(404, 'recipient.not-found');
  }

  #addQuote(body: Record<string, unknown>): FakeAnswer {
    if (body.targetCurrency !== body.sourceCurrency) return fail(422, 'quote.currency.other');
    if (body.targetCurrency === 'KPW') return fail(422, 'quote.currency.unsupported');
    const quote = {
      id: randomUUID(),
      currency: String(body.targetCurrency),
      amount: Number(body.targetAmount),
      isUsed: false,
    };
    this.quotes.push(quote);
    return { status: 200, body: { id: quote.id, targetAmount: quote.amount, payIn: 'BALANCE' } };
  }

  #addTransfer(body: Record<string, string | number | Record<string, string>>): FakeAnswer {
    const customerTransactionId = String(body.customerTransactionId);
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(customerTransactionId)) {
      return fail(422, 'NOT_VALID', 'customerTransactionId');
    }
    const known = this.transfers.find((one) => one.customerTransactionId === customerTransactionId);
    if (known) return { status: 200, body: show(known) };
    const quote = this.quotes.find(({ id }) => id === body.quoteUuid);
    if (!quote || quote.isUsed) return fail(422, 'transfer.quote.invalid');
    quote.isUsed = true;
    const made: WiseTransfer = {
      id: 5_000_000 + this.transfers.length,
      customerTransactionId,
      targetAccount: Number(body.targetAccount),
      targetCurrency: quote.currency,
      targetValue: quote.amount,
      reference: (body.details as Record<string, string>).reference ?? '',
      created: new Date(this.#clock.nowMs()).toISOString(),
      status: 'incoming_payment_waiting',
      funded: 0,
    };
    this.transfers.push(made);
    return { status: 200, body: show(made) };
  }

  #fund(id: number, fault: WiseFault | undefined): FakeAnswer {
    const transfer = this.transfers.find((one) => one.id === id);
    if (!transfer) return fail(404, 'transfer.not-found');
    if (fault === 'no_funds' || fault === 'no_option') {
      const errorCode =
        fault === 'no_funds' ? 'balance.insufficient_funds' : 'balance.payment-option-unavailable';
      return { status: 201, body: { type: 'BALANCE', status: 'REJECTED', errorCode } };
    }
    const isOvertaken = fault === 'overtaken' || fault === 'overtaken_and_forbidden';
    if (isOvertaken) this.#fund(id, undefined);
    if (fault === 'overtaken_and_forbidden') return fail(403, 'error.forbidden');
    if (transfer.status !== 'incoming_payment_waiting') return fail(422, 'transfer.invalid-state');
    transfer.funded += 1;
    transfer.status = 'processing';
    return { status: 201, body: { type: 'BALANCE', status: 'COMPLETED', errorCode: null } };
  }

  /** Also one that is funded, as long as nothing was converted; its money comes back. */
  #cancel(id: number): FakeAnswer {
    const transfer = this.transfers.find((one) => one.id === id);
    const isEarly = ['incoming_payment_waiting', 'processing'].includes(transfer?.status ?? '');
    if (!transfer || !isEarly) return fail(422, 'transfer.not-cancellable');
    transfer.status = 'cancelled';
    return { status: 200, body: show(transfer) };
  }

  #show(id: number): FakeAnswer {
    const transfer = this.transfers.find((one) => one.id === id);
    return transfer ? { status: 200, body: show(transfer) } : fail(404, 'transfer.not-found');
  }

  /** Newest first, as many as are asked for and at most a hundred. */
  #list(query: URLSearchParams): FakeAnswer {
    this.pages += 1;
    if (query.get('profile') !== WISE_ACCOUNT.profileId) return fail(403, 'profile.forbidden');
    const since = query.get('createdDateStart') ?? '';
    const offset = Number(query.get('offset') ?? 0);
    const limit = Math.min(Number(query.get('limit') ?? 10), 100);
    const found = this.transfers.filter(({ created }) => created >= since).toReversed();
    return { status: 200, body: found.slice(offset, offset + limit).map(show) };
  }
}

function show({ funded: _, reference, created, ...transfer }: WiseTransfer) {
  const at = created.replace('T', ' ').slice(0, 19);
  return {
    ...transfer,
    created: at,
    details: { reference },
    sourceCurrency: transfer.targetCurrency,
  };
}

function fail(status: number, code: string, path?: string): FakeAnswer {
  return { status, body: { errors: [{ code, message: 'Not for ada@example.com.', path }] } };
}
