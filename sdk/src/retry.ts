/** The first wait is about this long; each later one is up to twice as long. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

/**
 * The wait before a retry: what the service asked for, or else a time that doubles. Half of it is
 * random, so that callers who failed together do not return together.
 *
 * @param repeat 0 for the first.
 * @param random From 0 up to 1.
 */
export function waitBeforeRepeat(
  repeat: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** repeat);
  if (retryAfterMs === null) return backoff * (0.5 + random / 2);
  return retryAfterMs + (random * FIRST_WAIT_MS) / 2;
}

/** Parses `Retry-After`, which contains seconds or a date; null for anything else. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Requires the name of a weekday, so that no number passes for a date.
  const atMs = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** Resolves after a time; rejects with the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
