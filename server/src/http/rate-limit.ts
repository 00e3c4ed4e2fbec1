import type { Clock } from '../kit/clock.ts';
import { AppError } from '../kit/errors.ts';

const BUCKETS_MAX = 100_000;

export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until one more call is allowed. */
  readonly waitSeconds: number;
}

/** A token bucket per key: `burst` at once, refilled at `perSecond`. Kept in this process. */
export class RateLimit {
  readonly name: string;
  readonly perSecond: number;
  readonly burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(clock: Clock, name: string, perSecond: number, burst: number) {
    this.#clock = clock;
    this.name = name;
    this.perSecond = perSecond;
    this.burst = burst;
  }

  take(key: string): Verdict {
    const nowMs = this.#clock.nowMs();
    const bucket = this.#buckets.get(key) ?? { tokens: this.burst, atMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.atMs) / 1_000) * this.perSecond;
    const tokens = Math.min(this.burst, bucket.tokens + gained);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    // Re-inserting keeps the map in order of last use, so the front is what can be forgotten.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: left, atMs: nowMs });
    if (this.#buckets.size > BUCKETS_MAX) {
      this.#buckets.delete(this.#buckets.keys().next().value as string);
    }
    return {
      allowed,
      remaining: Math.floor(left),
      waitSeconds: allowed ? 0 : Math.ceil((1 - left) / this.perSecond),
    };
  }

  /** Returns what was taken, of a call that does not count after all. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.tokens = Math.min(this.burst, bucket.tokens + 1);
  }

  /** The headers that tell a caller where it stands. */
  headers(verdict: Verdict): Record<string, string> {
    const window = Math.ceil(this.burst / this.perSecond);
    return {
      'ratelimit-policy': `"${this.name}";q=${this.burst};w=${window}`,
      ratelimit: `"${this.name}";r=${verdict.remaining};t=${verdict.waitSeconds}`,
    };
  }

  refusal(verdict: Verdict): AppError {
    return new AppError('RATE_LIMITED', 'Too many requests. Slow down and try again.', {
      headers: {
        ...this.headers(verdict),
        'retry-after': String(Math.max(1, verdict.waitSeconds)),
      },
    });
  }
}

export function perMinute(clock: Clock, name: string, count: number): RateLimit {
  return new RateLimit(clock, name, count / 60, count);
}

/** The limits that all routes share. */
export interface Limits {
  readonly keys: RateLimit | null;
  readonly failedAuthentications: RateLimit;
  /** Per participant. */
  readonly widget: RateLimit;
}
