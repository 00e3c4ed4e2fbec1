import type { Clock } from '../../../platform/kit/clock.ts';
import { DAY_MS, toMs } from '../../../platform/kit/instant.ts';
import type {
  FindAnswer,
  PayoutProvider,
  SubmitAnswer,
  TransferOrder,
  TransferRecords,
  TransferRef,
  TransferReport,
} from '../../payouts/provider.ts';
import { failed, fieldOf, type JsonAnswer, listOf, refused, textOf } from '../call-json.ts';
import { toPaypalAmount } from './amount.ts';
import { NoTokenError, type PaypalClient } from './client.ts';
import { type PaypalTransfer, readBatch } from './read-batch.ts';
import { createRecords } from './records.ts';
import { FAILURES } from './states.ts';

const BATCHES = '/v1/payments/payouts';

/**
 * How long a repeated `sender_batch_id` certainly makes no second payout. PayPal guarantees 30 days
 * from its first use; one day less allows for clock differences.
 */
const REMEMBERED_MS = 29 * DAY_MS;

/**
 * Pays through PayPal's payouts API, one item per batch. PayPal finds a batch only by the id in its
 * response, not by our key. It accepts a key once in 30 days and answers a repeat with a link to
 * the first batch. So an order whose response got lost is looked up by ordering it again, but never
 * after that time.
 */
export class PaypalProvider implements PayoutProvider {
  readonly method = 'paypal';
  readonly connectionId: string;
  readonly records: TransferRecords;
  readonly #client: PaypalClient;
  readonly #clock: Clock;

  constructor(connectionId: string, client: PaypalClient, clock: Clock) {
    this.connectionId = connectionId;
    this.records = createRecords(client);
    this.#client = client;
    this.#clock = clock;
  }

  async submit(order: TransferOrder): Promise<SubmitAnswer> {
    const answer = await this.#order(order);
    // An earlier order may be under way, whatever the response to its repeat says.
    const hasReference = 'reference' in answer && answer.reference !== null;
    return order.sentAt === null || hasReference ? answer : { state: 'unknown' };
  }

  async #order(order: TransferOrder): Promise<SubmitAnswer> {
    if (order.sentAt !== null && !this.#isRemembered(order.sentAt)) return { state: 'unknown' };
    const { details, currency } = order;
    if (details === null) return { state: 'unknown' };
    if (details.type !== 'paypal') {
      return failed('invalid_details', 'These payout details are not for a PayPal account.');
    }
    const amount = toPaypalAmount(order.amountMinor, currency, order.currencyExponent);
    if ('fault' in amount) return failed('rejected_by_provider', amount.fault);
    let answer: JsonAnswer;
    try {
      answer = await this.#client.call('POST', BATCHES, {
        sender_batch_header: { sender_batch_id: order.key, recipient_type: 'EMAIL' },
        items: [
          {
            recipient_type: 'EMAIL',
            receiver: details.email,
            amount: { value: amount.value, currency },
            sender_item_id: order.payoutId,
          },
        ],
      });
    } catch (error) {
      if (!(error instanceof NoTokenError)) throw error;
      return refused('provider_error', 'PayPal refused the app’s login.');
    }
    return this.#judge(order.key, answer);
  }

  async #judge(key: string, { status, body }: JsonAnswer): Promise<SubmitAnswer> {
    if (status === 200 || status === 201) {
      return readBatch(body, key)?.state ?? { state: 'unknown' };
    }
    const first = firstBatchOf(body);
    if (first !== null) return this.#look(first, key).then(stateOf);
    const name = textOf(body, 'name');
    const isDuplicate = name === 'DUPLICATE_REQUEST_ID' || isAbout(/sender_batch_id/i, body);
    if (isDuplicate || status >= 500 || status === 409 || status < 400) return { state: 'unknown' };
    if (status === 429) return refused('limit_exceeded', 'PayPal: too many calls');
    if (status === 401) return refused('provider_error', 'PayPal refused the app’s login.');
    const reason = FAILURES[name ?? ''];
    const message = `PayPal: ${name ?? status}`;
    if (reason === 'insufficient_funds') return refused(reason, message);
    if (isAbout(/receiver/i, body)) return failed('invalid_details', message);
    return failed(reason ?? 'rejected_by_provider', message);
  }

  async find({ key, reference, sentAt }: TransferRef): Promise<FindAnswer> {
    const found = reference === null ? null : await this.#look(reference, key);
    if (found !== null) return stateOf(found);
    return { state: this.#isRemembered(sentAt) ? 'ask_by_order' : 'unknown' };
  }

  async report({ key, reference }: TransferRef): Promise<TransferReport> {
    const found = reference === null ? null : await this.#look(reference, key);
    const { amountMinor = null, currency = null } = found ?? {};
    return { state: found?.state?.state ?? 'unknown', amountMinor, currency };
  }

  /** Null if the batch belongs to another order, undefined if that is unknown. */
  async #look(reference: string, key: string): Promise<PaypalTransfer | null | undefined> {
    const path = `${BATCHES}/${encodeURIComponent(reference)}?page=1&page_size=1`;
    const { status, body } = await this.#client.call('GET', path);
    return status === 200 ? (readBatch(body, key) ?? null) : undefined;
  }

  #isRemembered(sentAt: string): boolean {
    return this.#clock.nowMs() < toMs(sentAt) + REMEMBERED_MS;
  }
}

function stateOf(found: PaypalTransfer | null | undefined): FindAnswer & SubmitAnswer {
  return found?.state ?? { state: 'unknown' };
}

/** The first batch of a key that was used before. */
function firstBatchOf(body: unknown): string | null {
  const links = [
    ...listOf(body, 'links'),
    ...listOf(body, 'details').flatMap((detail) => [
      ...listOf(detail, 'link'),
      ...listOf(detail, 'links'),
    ]),
  ];
  for (const link of links) {
    const found = /\/v1\/payments\/payouts\/([A-Za-z0-9_-]+)(?:[?#]|$)/.exec(
      textOf(link, 'href') ?? '',
    );
    if (found) return found[1] as string;
  }
  return null;
}

function isAbout(field: RegExp, body: unknown): boolean {
  return listOf(body, 'details').some((one) => field.test(String(fieldOf(one, 'field') ?? '')));
}
