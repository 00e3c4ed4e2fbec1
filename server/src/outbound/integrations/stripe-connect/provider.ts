import type Stripe from 'stripe';
import type {
  FindAnswer,
  PayoutProvider,
  SubmitAnswer,
  TransferOrder,
  TransferRecords,
  TransferRef,
  TransferReport,
} from '../../payouts/provider.ts';
import { failed, refused } from '../call-json.ts';
import { fromStripeAmount, toStripeAmount } from '../stripe/events/currencies.ts';
import { isStripeError } from '../stripe/stripe-error.ts';
import { createRecords } from './records.ts';
import { FAILURES, stateOf } from './states.ts';

/** How many further keys are tried after requests that failed inside Stripe. */
const BROKEN_MAX = 5;

/**
 * Pays by transfers to accounts connected to the platform's account. All transfers of a payout
 * share a `transfer_group`; the key in their metadata tells them apart.
 */
export class StripeConnectProvider implements PayoutProvider {
  readonly method = 'stripe_connect';
  readonly connectionId: string;
  readonly records: TransferRecords;
  readonly #client: Stripe;

  constructor(connectionId: string, client: Stripe) {
    this.connectionId = connectionId;
    this.#client = client;
    this.records = createRecords(client);
  }

  async submit(order: TransferOrder): Promise<SubmitAnswer> {
    const { details, currency } = order;
    if (details === null) return { state: 'unknown' };
    if (details.type !== 'stripe_connect') {
      return failed('invalid_details', 'These payout details are not for a Stripe account.');
    }
    const amount = toStripeAmount(order.amountMinor, currency);
    if (amount === undefined) {
      return failed('rejected_by_provider', `Stripe cannot transfer this amount of ${currency}.`);
    }
    return this.#create(order, {
      amount,
      currency: currency.toLowerCase(),
      destination: details.accountId,
      transfer_group: order.payoutId,
      metadata: { payoutId: order.payoutId, key: order.key },
    });
  }

  /**
   * Stripe stores its own failures under an idempotency key and repeats them for a day. A repeated
   * failure proves that the first request is over: if there is no transfer then, there will never
   * be one under that key, and the next key is used.
   */
  async #create(
    order: TransferOrder,
    transfer: Stripe.TransferCreateParams,
  ): Promise<SubmitAnswer> {
    for (let broken = 0; broken < BROKEN_MAX; broken += 1) {
      const idempotencyKey = broken === 0 ? order.key : `${order.key}_${broken}`;
      try {
        return stateOf(await this.#client.transfers.create(transfer, { idempotencyKey }));
      } catch (error) {
        if (!isReplay(error)) return judge(error);
        const made = await this.#search(order);
        if (made) return stateOf(made);
      }
    }
    return refused('provider_error', 'Stripe: every attempt ended with an error');
  }

  async find(transfer: TransferRef): Promise<FindAnswer> {
    const found = await this.#look(transfer);
    return found ? stateOf(found) : { state: 'none' };
  }

  async report(transfer: TransferRef): Promise<TransferReport> {
    const found = await this.#look(transfer);
    if (!found) return { state: 'none', amountMinor: null, currency: null };
    const { amount, amount_reversed, currency } = found;
    const { state } = stateOf(found);
    // What remains of a partly reversed transfer.
    const left = state === 'paid' ? amount - amount_reversed : amount;
    const amountMinor = fromStripeAmount(left, currency) ?? null;
    return { state, amountMinor, currency: currency.toUpperCase() };
  }

  /** Null if there certainly is none. Rejects when that is unknown. */
  async #look(transfer: TransferRef): Promise<Stripe.Transfer | null> {
    if (transfer.reference === null) return this.#search(transfer);
    const found = await this.#client.transfers.retrieve(transfer.reference);
    // The reference may belong to an earlier order for the same payout.
    return found.metadata.key === transfer.key ? found : this.#search(transfer);
  }

  async #search({
    payoutId,
    key,
  }: Pick<TransferRef, 'payoutId' | 'key'>): Promise<Stripe.Transfer | null> {
    const all = this.#client.transfers.list({ transfer_group: payoutId, limit: 100 });
    for await (const transfer of all) if (transfer.metadata.key === key) return transfer;
    return null;
  }
}

function isReplay(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  const isBroken = (error.statusCode ?? 0) >= 500;
  return isBroken && error.headers?.['idempotent-replayed'] === 'true';
}

/** Interprets a response without a transfer. */
function judge(error: unknown): SubmitAnswer {
  if (!isStripeError(error)) throw error;
  const { statusCode = 0, code, type } = error;
  if (statusCode === 429) return refused('limit_exceeded', 'Stripe: too many calls');
  if (statusCode === 401 || statusCode === 403) {
    return refused('provider_error', `Stripe: ${code ?? statusCode}`);
  }
  // The first order under the key may still be running, or had other parameters.
  const isOpen = statusCode === 409 || type === 'StripeIdempotencyError';
  if (isOpen || statusCode < 400 || statusCode >= 500) throw error;
  const reason = FAILURES[code ?? ''] ?? 'rejected_by_provider';
  const message = `Stripe: ${code ?? statusCode}`;
  return reason === 'insufficient_funds' ? refused(reason, message) : failed(reason, message);
}
