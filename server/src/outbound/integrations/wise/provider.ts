import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import { formatMajor } from '../../../platform/kit/money.ts';
import type {
  FindAnswer,
  PayoutProvider,
  SubmitAnswer,
  TransferOrder,
  TransferRecords,
  TransferRef,
  TransferReport,
} from '../../payouts/provider.ts';
import { failed, type JsonAnswer, listOf, refused, textOf } from '../call-json.ts';
import type { WiseClient } from './client.ts';
import { readTransfer, transactionIdOf, type WiseTransfer } from './read-transfer.ts';
import { toWiseRecipient } from './recipient.ts';
import { createRecords } from './records.ts';

/** Amounts are sent as JSON numbers, which are exact up to here. */
const AMOUNT_MAX = 10n ** 15n;
/** The reference on the payee's statement; some countries allow no more characters. */
const REFERENCE_MAX = 10;
/** Wise's response to a second funding: the first one succeeded. */
const ALREADY_FUNDED = 'transfer.invalid-state';

/**
 * Pays by Wise, from the balance in the payout's own currency: recipient, quote, transfer, funding.
 * Only funding moves money, and a transfer is funded once. Wise makes one transfer per
 * `customerTransactionId`, so a transfer that was made but not funded is found and funded later.
 */
export class WiseProvider implements PayoutProvider {
  readonly method = 'wise';
  readonly connectionId: string;
  readonly records: TransferRecords;
  readonly #client: WiseClient;

  constructor(connectionId: string, client: WiseClient) {
    this.connectionId = connectionId;
    this.#client = client;
    this.records = createRecords(client);
  }

  async submit(order: TransferOrder): Promise<SubmitAnswer> {
    const transactionId = transactionIdOf(order.key);
    if (order.sentAt === null) return this.#order(order, transactionId);
    const found = await this.#search(order.key, order.sentAt, null);
    if (found) return this.#finish(order, found);
    // Wise was not certain that it has none, or lost one: ask again later.
    return { state: 'unknown' };
  }

  async #order(order: TransferOrder, transactionId: string): Promise<SubmitAnswer> {
    const { amountMinor, currency, currencyExponent, payoutId } = order;
    if (order.details === null) return { state: 'unknown' };
    const to = toWiseRecipient(order.details, currency, order.payeeName);
    if ('fault' in to) return failed('rejected_by_provider', to.fault);
    if (amountMinor > AMOUNT_MAX)
      return failed('limit_exceeded', 'The amount is more than Wise accepts.');
    const recipient = await this.#client.createRecipient(to.recipient);
    const targetAccount = textOf(recipient.body, 'id');
    if (targetAccount === null) return refusalOf(recipient, 'invalid_details');
    const quote = await this.#client.createQuote({
      sourceCurrency: currency,
      targetCurrency: currency,
      targetAmount: Number(formatMajor(amountMinor, currencyExponent)),
      targetAccount: Number(targetAccount),
      preferredPayIn: 'BALANCE',
    });
    const quoteUuid = textOf(quote.body, 'id');
    if (quoteUuid === null) return refusalOf(quote, 'rejected_by_provider');
    const made = await this.#client.createTransfer({
      targetAccount: Number(targetAccount),
      quoteUuid,
      customerTransactionId: transactionId,
      details: { reference: payoutId.slice(-REFERENCE_MAX) },
    });
    const transfer = readTransfer(made.body, transactionId, null);
    if (!transfer) return refusalOf(made, 'rejected_by_provider');
    return this.#finish(order, transfer);
  }

  /** Funds an unfunded transfer; returns the state of any other. */
  async #finish(order: TransferOrder, transfer: WiseTransfer): Promise<SubmitAnswer> {
    const { id, state } = transfer;
    if (state !== 'unfunded') return state ?? { state: 'unknown' };
    if (order.details === null) {
      const fault = failed('invalid_details', 'The payee no longer has payout details.');
      return this.#giveUp(order, id, fault);
    }
    const isRight =
      transfer.amountMinor === order.amountMinor && transfer.currency === order.currency;
    if (!isRight) {
      const fault = failed('provider_error', 'Wise created a transfer with a different amount.');
      return this.#giveUp(order, id, fault);
    }
    const underway = { state: 'processing', reference: id } as const;
    const funding = await attempt(() => this.#client.fund(id));
    // A later lookup shows whether it was funded.
    if ('problem' in funding) return { ...underway, ...funding };
    const { status, body } = funding;
    const code = textOf(body, 'errorCode') ?? codeOf(body);
    if (textOf(body, 'status') === 'COMPLETED' || code === ALREADY_FUNDED) return underway;
    const isRefused = textOf(body, 'status') === 'REJECTED' || is4xx(status);
    if (!isRefused) return { ...underway, problem: unexpected(status, `fund transfer ${id}`) };
    const failureMessage = `Wise: ${code ?? status}`;
    if (/insufficient/i.test(code ?? '')) {
      const failureReason = 'insufficient_funds';
      return this.#giveUp(order, id, { state: 'refused', failureReason, failureMessage });
    }
    return this.#giveUp(order, id, failed('rejected_by_provider', failureMessage));
  }

  /**
   * Only a cancelled transfer will certainly never be paid. Wise also cancels funded transfers, so
   * the state is read first in case another process has funded it.
   */
  async #giveUp(order: TransferOrder, id: string, answer: SubmitAnswer): Promise<SubmitAnswer> {
    const underway = { state: 'processing', reference: id } as const;
    const before = await this.#stateOf(order, id);
    if ('problem' in before) return { ...underway, ...before };
    if (before.state !== 'unfunded') return before.state ?? underway;
    const cancelling = await attempt(() => this.#client.cancel(id));
    const isAnswered = !('problem' in cancelling);
    if (isAnswered && textOf(cancelling.body, 'status') === 'cancelled') return answer;
    const problem = isAnswered
      ? unexpected(cancelling.status, `cancel transfer ${id}`)
      : cancelling.problem;
    const after = await this.#stateOf(order, id);
    const isOver = !('problem' in after) && isFailed(after.state);
    return { ...(isOver ? answer : underway), problem };
  }

  async #stateOf(
    { key }: TransferOrder,
    id: string,
  ): Promise<Pick<WiseTransfer, 'state'> | Problem> {
    const found = await attempt(() => this.#client.findTransfer(id));
    if ('problem' in found) return found;
    const transfer =
      found.status === 200 ? readTransfer(found.body, transactionIdOf(key), null) : undefined;
    return transfer ?? { problem: unexpected(found.status, `read transfer ${id}`) };
  }

  async find(transfer: TransferRef): Promise<FindAnswer> {
    const found = await this.#look(transfer);
    if (found === null) return { state: 'none' };
    if (found?.state === 'unfunded') return { state: 'ask_by_order' };
    return found?.state ?? { state: 'unknown' };
  }

  async report(transfer: TransferRef): Promise<TransferReport> {
    const found = await this.#look(transfer);
    if (found === null) return { state: 'none', amountMinor: null, currency: null };
    const { amountMinor = null, currency = null } = found ?? {};
    const state = found?.state === 'unfunded' ? 'processing' : found?.state?.state;
    return { state: state ?? 'unknown', amountMinor, currency };
  }

  /** Null if there is none, undefined if that is unknown. */
  async #look(transfer: TransferRef): Promise<WiseTransfer | null | undefined> {
    const { key, sentAt, reference, failureCode } = transfer;
    if (reference === null) return this.#search(key, sentAt, failureCode);
    const { status, body } = await this.#client.findTransfer(reference);
    if (status !== 200) return undefined;
    // The reference may belong to an earlier order for the same payout.
    return (
      readTransfer(body, transactionIdOf(key), failureCode) ??
      this.#search(key, sentAt, failureCode)
    );
  }

  async #search(
    key: string,
    sentAt: Instant,
    failureCode: string | null,
  ): Promise<WiseTransfer | null | undefined> {
    const transactionId = transactionIdOf(key);
    // A day earlier: Wise's clock may differ from ours.
    const since = addMs(sentAt, -DAY_MS);
    const found = await this.#client.searchTransfer(transactionId, since);
    if (found === null || found === undefined) return found;
    return readTransfer(found, transactionId, failureCode);
  }
}

interface Problem {
  readonly problem: unknown;
}

/** For calls whose result can be read from the transfer afterwards. */
async function attempt(call: () => Promise<JsonAnswer>): Promise<JsonAnswer | Problem> {
  try {
    return await call();
  } catch (problem) {
    return { problem };
  }
}

function unexpected(status: number, request: string): Error {
  return new Error(`Wise answered ${status} to the request to ${request}.`);
}

function isFailed(state: WiseTransfer['state']): boolean {
  return state !== null && state !== 'unfunded' && state.state === 'failed';
}

/** Interprets a response without a transfer before any funding: no money has moved. */
function refusalOf(
  { status, body }: JsonAnswer,
  reason: 'invalid_details' | 'rejected_by_provider',
): SubmitAnswer {
  if (status === 429) return refused('limit_exceeded', 'Wise: too many calls');
  if (status === 401 || status === 403) return refused('provider_error', `Wise: ${status}`);
  if (!is4xx(status)) return { state: 'unknown' };
  return failed(reason, `Wise: ${codeOf(body) ?? status}`);
}

/** A 409 may conflict with an order of ours that is still running. */
function is4xx(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429;
}

/** The code alone: messages may repeat what was sent. */
function codeOf(body: unknown): string | null {
  const [first] = listOf(body, 'errors');
  return textOf(first, 'code') ?? textOf(body, 'errorCode') ?? textOf(body, 'code');
}
