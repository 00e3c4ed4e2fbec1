/** A poll over a great backlog takes long: so many times as long nobody polls. */
const SHARE = 20;
/** One can also take long because the database, or this process, stood still: due is due all the same. */
const REST_MAX_MS = 10_000;

/** How long to rest after a poll that took so long. */
export function restAfterPoll(tookMs: number): number {
  return Math.min(SHARE * tookMs, REST_MAX_MS);
}
