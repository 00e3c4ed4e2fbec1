/** The first wait is about this long; each later one up to twice the one before. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

/**
 * How long to wait before a repeat: what the service asked for, or else a time that doubles. Half
 * of that is left to chance, so that callers who failed together do not come back together.
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

/** Reads `Retry-After`, which holds seconds or a date; null for anything else. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Years, months and days, so that no other number passes for a date.
  const atMs = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** Resolves after a time; rejects with the signal's reason as soon as that is aborted. */
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
