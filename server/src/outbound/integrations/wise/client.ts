import { callJson, type JsonAnswer, listOf, textOf } from '../call-json.ts';
import type { WiseCredentials } from '../payout-connections/payout-connection.ts';

export const TRANSFERS_PAGE = 100;
/** Beyond this many pages a search cannot prove that something does not exist. */
const PAGES_MAX = 200;

/** The Wise API calls that payouts need. Each rejects when the result is unknown. */
export class WiseClient {
  readonly #host: string;
  readonly #token: string;
  readonly #profileId: string;

  constructor(host: string, { token, profileId }: WiseCredentials) {
    this.#host = host;
    this.#token = token;
    this.#profileId = profileId;
  }

  /** Creates a new one each time; without a transfer it has no effect. */
  createRecipient(recipient: Readonly<Record<string, unknown>>): Promise<JsonAnswer> {
    return this.#call('POST', '/v1/accounts', { profile: Number(this.#profileId), ...recipient });
  }

  /** Creates a new one each time; a quote expires after half an hour. */
  createQuote(quote: Readonly<Record<string, unknown>>): Promise<JsonAnswer> {
    return this.#call('POST', `/v3/profiles/${this.#profileId}/quotes`, quote);
  }

  /**
   * Calls with the same `customerTransactionId` all return the transfer that the first one made.
   */
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

  /**
   * Wise lists transfers by time only. Null if there certainly is none, undefined if that is
   * unknown.
   */
  async searchTransfer(transactionId: string, since: string): Promise<unknown> {
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { status, body } = await this.listTransfers(since, page * TRANSFERS_PAGE);
      if (status !== 200 || !Array.isArray(body)) return undefined;
      const found = listOf(body).find(
        (one) => textOf(one, 'customerTransactionId') === transactionId,
      );
      if (found) return found;
      if (body.length < TRANSFERS_PAGE) return null;
    }
    return undefined;
  }

  /** `TRANSFERS_PAGE` at a time, newest first. */
  listTransfers(since: string, offset: number): Promise<JsonAnswer> {
    const query = new URLSearchParams({
      profile: this.#profileId,
      createdDateStart: since,
      limit: String(TRANSFERS_PAGE),
      offset: String(offset),
    });
    return this.#call('GET', `/v1/transfers?${query}`);
  }

  findRecipient(accountId: string): Promise<JsonAnswer> {
    return this.#call('GET', `/v1/accounts/${encodeURIComponent(accountId)}`);
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
