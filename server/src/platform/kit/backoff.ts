/** How long to wait after so many tries in a row failed (from 1): twice as long each time, up to a limit. */
export function backoffMs(tries: number, firstMs: number, longestMs = Number.POSITIVE_INFINITY) {
  return Math.min(firstMs * 2 ** (Math.max(tries, 1) - 1), longestMs);
}
