import type { Clock } from '../../../platform/kit/clock.ts';
import { callJson, fieldOf, type JsonAnswer, textOf } from '../call-json.ts';
import type { PaypalCredentials } from '../payout-connections/payout-connection.ts';

/** A token is renewed this long before it expires, so that none expires in transit. */
const EARLY_MS = 60_000;

/** PayPal rejected the app's id or secret: nothing that needs a token was done. */
export class NoTokenError extends Error {
  override readonly name = 'NoTokenError';
}

interface Token {
  readonly text: string;
  readonly until: number;
}

export class PaypalClient {
  readonly #host: string;
  readonly #credentials: PaypalCredentials;
  readonly #clock: Clock;
  #token: Promise<Token> | null = null;

  constructor(host: string, credentials: PaypalCredentials, clock: Clock) {
    this.#host = host;
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /** Rejects when the result is unknown, or with NoTokenError when certainly nothing was done. */
  async call(method: 'GET' | 'POST', path: string, body?: object | string): Promise<JsonAnswer> {
    const token = await this.#freshToken();
    const answer = await callJson({
      method,
      url: this.#host + path,
      headers: { authorization: `Bearer ${token.text}` },
      ...(body ? { body } : {}),
    });
    if (answer.status === 401) this.#token = null;
    return answer;
  }

  async #freshToken(): Promise<Token> {
    // Concurrent calls share one renewal.
    const known = await (this.#token ?? this.#renew());
    return known.until > this.#clock.nowMs() ? known : this.#renew();
  }

  #renew(): Promise<Token> {
    const asking = this.#ask();
    this.#token = asking;
    asking.catch(() => {
      if (this.#token === asking) this.#token = null;
    });
    return asking;
  }

  async #ask(): Promise<Token> {
    const { clientId, clientSecret } = this.#credentials;
    const login = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const askedAt = this.#clock.nowMs();
    const { status, body } = await callJson({
      method: 'POST',
      url: `${this.#host}/v1/oauth2/token`,
      headers: { authorization: `Basic ${login}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }).catch((cause) => {
      throw new NoTokenError('PayPal did not respond to the app’s login.', { cause });
    });
    const text = textOf(body, 'access_token');
    if (status !== 200 || text === null) {
      throw new NoTokenError(`PayPal answered ${status} to the app’s login.`);
    }
    const seconds = Number(fieldOf(body, 'expires_in') ?? 0);
    return { text, until: askedAt + seconds * 1_000 - EARLY_MS };
  }
}
