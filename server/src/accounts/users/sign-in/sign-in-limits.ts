import { networkOf } from '../../../platform/http/access/client-address.ts';
import { RateLimit, type Verdict } from '../../../platform/http/access/rate-limit.ts';
import type { Clock } from '../../../platform/kit/clock.ts';

/** Attempts for one account from one address: so many at once, and one more each minute. */
const ACCOUNT_TRIES = 10;

/**
 * Slows down guessing. Each limit belongs to the address that the guesses come from: an attack on
 * an account from elsewhere does not lock its user out.
 */
export class SignInLimits {
  readonly #addresses: RateLimit;
  readonly #accounts: RateLimit;

  constructor(clock: Clock, perMinute: number) {
    this.#addresses = new RateLimit(clock, 'sign-in', perMinute / 60, perMinute);
    this.#accounts = new RateLimit(clock, 'account', 1 / 60, Math.min(perMinute, ACCOUNT_TRIES));
  }

  /** Takes an attempt, which `giveBack` returns if it was right. Fails with RATE_LIMITED. */
  take(address: string, account: string | null): { giveBack(): void } {
    const place = networkOf(address);
    const key = account === null ? null : `${place} ${account.toLowerCase()}`;
    take(this.#addresses, place);
    try {
      if (key !== null) take(this.#accounts, key);
    } catch (refusal) {
      this.#addresses.giveBack(place);
      throw refusal;
    }
    return {
      giveBack: () => {
        this.#addresses.giveBack(place);
        if (key !== null) this.#accounts.giveBack(key);
      },
    };
  }
}

function take(limit: RateLimit, key: string): void {
  const verdict: Verdict = limit.take(key);
  if (!verdict.allowed) throw limit.refusal(verdict);
}
