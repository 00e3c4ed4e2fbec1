import { callJson, type JsonAnswer } from '../call-json.ts';
import type { WiseCredentials } from '../payout-connections/payout-connection.ts';
import { listOf, textOf } from '../read-json.ts';

const PAGE = 100;
/** Beyond so many pages nobody can say that something is not there. */
const PAGES_MAX = 200;

/** The calls to Wise that payouts need. Each rejects when nobody knows what was done. */
export class WiseClient {
  readonly #host: string;
  readonly #token: string;
  readonly #profileId: string;

  constructor(host: string, { token, profileId }: WiseCredentials) {
    this.#host = host;
    this.#token = token;
    this.#profileId = profileId;
  }

  /** Makes one each time: without a transfer it does nothing. */
  createRecipient(recipient: Readonly<Record<string, unknown>>): Promise<JsonAnswer> {
    return this.#call('POST', '/v1/accounts', { profile: Number(this.#profileId), ...recipient });
  }

  /** The like: a quote ends by itself after half an hour. */
  createQuote(quote: Readonly<Record<string, unknown>>): Promise<JsonAnswer> {
    return this.#call('POST', `/v3/profiles/${this.#profileId}/quotes`, quote);
  }

  /** Of calls with one `customerTransactionId` all tell of the transfer that the first has made. */
  createTransfer(transfer: Readonly<Record<string, unknown>>): Promise<JsonAnswer> {
    return this.#call('POST', '/v1/transfers', transfer);
  }

  fund(transferId: string): Promise<JsonAnswer> {
    const path = `/v3/profiles/${this.#profileId}/transfers/${transferId}/payments`;
    return this.#call('POST', path, { type: 'BALANCE' });
  }

  cancel(transferId: string): Promise<JsonAnswer> {
    return this.#call('PUT', `/v1/transfers/${transferId}/cancel`);
  }

  findTransfer(transferId: string): Promise<JsonAnswer> {
    return this.#call('GET', `/v1/transfers/${encodeURIComponent(transferId)}`);
  }

  /** Wise lists by time only. Null if it is certain that there is none, undefined if it is not. */
  async searchTransfer(transactionId: string, since: string): Promise<unknown> {
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = new URLSearchParams({
        profile: this.#profileId,
        createdDateStart: since,
        limit: String(PAGE),
        offset: String(page * PAGE),
      });
      const { status, body } = await this.#call('GET', `/v1/transfers?${query}`);
      if (status !== 200 || !Array.isArray(body)) return undefined;
      const found = listOf(body).find(
        (one) => textOf(one, 'customerTransactionId') === transactionId,
      );
      if (found) return found;
      if (body.length < PAGE) return null;
    }
    return undefined;
  }

  #call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<JsonAnswer> {
    return callJson({
      method,
      url: this.#host + path,
      headers: { authorization: `Bearer ${this.#token}` },
      ...(body ? { body } : {}),
    });
  }
}
