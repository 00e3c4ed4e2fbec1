import { isIPv6 } from 'node:net';
import { RateLimit, type Verdict } from '../http/rate-limit.ts';
import type { Clock } from '../kit/clock.ts';

/** Tries for one account from one address: so many at once, and one more each minute. */
const ACCOUNT_TRIES = 10;

/**
 * Slows down who guesses. Each limit is of the address that the guesses come from: whoever
 * hammers on somebody's account from elsewhere does not keep them out.
 */
export class SignInLimits {
  readonly #addresses: RateLimit;
  readonly #accounts: RateLimit;

  constructor(clock: Clock, perMinute: number) {
    this.#addresses = new RateLimit(clock, 'sign-in', perMinute / 60, perMinute);
    this.#accounts = new RateLimit(clock, 'account', 1 / 60, Math.min(perMinute, ACCOUNT_TRIES));
  }

  /** Takes a try, which `giveBack` returns if it was right. Ends with RATE_LIMITED. */
  take(address: string, account: string | null): { giveBack(): void } {
    const place = placeOf(address);
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

/** Whoever has one address of IPv6 has all of its /64. */
function placeOf(address: string): string {
  if (!isIPv6(address) || /^::ffff:\d+\./i.test(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':').toLowerCase();
}
