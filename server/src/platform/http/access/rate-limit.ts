import { createHash } from 'node:crypto';
import type { Clock } from '../../kit/clock.ts';
import { AppError } from '../../kit/errors.ts';

export const BUCKETS_MAX = 50_000;
/** Number of the oldest buckets that each call checks: more than it adds, so that full ones are removed. */
const CHECKED_MAX = 2;

interface Bucket {
  tokens: number;
  readonly atMs: number;
}

export interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until one more call is allowed. */
  readonly waitSeconds: number;
}

/**
 * A token bucket per key: `burst` at once, refilled at `perSecond`. Kept in this process; a long
 * key, which callers may have chosen, under its hash. A full bucket is the same as none, so it is
 * removed.
 */
export class RateLimit {
  readonly name: string;
  readonly perSecond: number;
  readonly burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, name: string, perSecond: number, burst: number) {
    this.#clock = clock;
    this.name = name;
    this.perSecond = perSecond;
    this.burst = burst;
  }

  /** How many buckets are kept. */
  get size(): number {
    return this.#buckets.size;
  }

  take(key: string): Verdict {
    const nowMs = this.#clock.nowMs();
    const name = nameOf(key);
    const tokens = this.#tokensOf(this.#buckets.get(name), nowMs);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    // Re-inserting keeps the map in order of last use, so the front can be removed first.
    this.#buckets.delete(name);
    this.#forgetFull(nowMs);
    this.#buckets.set(name, { tokens: left, atMs: nowMs });
    if (this.#buckets.size > BUCKETS_MAX) {
      this.#buckets.delete(this.#buckets.keys().next().value as string);
    }
    return {
      allowed,
      remaining: Math.floor(left),
      waitSeconds: allowed ? 0 : Math.ceil((1 - left) / this.perSecond),
    };
  }

  /** Takes a token, and returns the headers of the response. Fails with RATE_LIMITED. */
  admit(key: string): Record<string, string> {
    const verdict = this.take(key);
    if (!verdict.allowed) throw this.refusal(verdict);
    return this.headers(verdict);
  }

  /** Returns the token of a call that does not count after all. */
  giveBack(key: string): void {
    const name = nameOf(key);
    const bucket = this.#buckets.get(name);
    if (!bucket) return;
    bucket.tokens += 1;
    if (bucket.tokens >= this.burst) this.#buckets.delete(name);
  }

  #tokensOf(bucket: Bucket | undefined, nowMs: number): number {
    if (!bucket) return this.burst;
    const gained = (Math.max(0, nowMs - bucket.atMs) / 1_000) * this.perSecond;
    return Math.min(this.burst, bucket.tokens + gained);
  }

  #forgetFull(nowMs: number): void {
    let checked = 0;
    for (const [name, bucket] of this.#buckets) {
      if (checked === CHECKED_MAX || this.#tokensOf(bucket, nowMs) < this.burst) return;
      this.#buckets.delete(name);
      checked += 1;
    }
  }

  /** The headers with the caller's remaining quota. */
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

const SHORT = 22;

/** A short key is its own name, such as an address. The name of any other is longer, so they cannot meet. */
function nameOf(key: string): string {
  if (key.length <= SHORT) return key;
  return `#${createHash('sha256').update(key).digest('base64url').slice(0, SHORT)}`;
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
