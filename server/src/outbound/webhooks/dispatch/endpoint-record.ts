/** First attempts and retries have separate slots, so neither waits for the other. */
export type Kind = 'fresh' | 'retry';

/**
 * What a process has learned about an endpoint from its last exchanges. `unproven`: none has ended
 * yet. `slow`: the last one took long, or one is taking long. `failing`: requests to it fail
 * quickly.
 */
export type Pace = 'unproven' | 'quick' | 'slow' | 'failing';

export interface EndpointRecord {
  readonly pace: Pace;
  /** How many first attempts may be in progress at the same time. */
  readonly window: number;
  /** Average duration of the last exchanges. */
  readonly exchangeMs: number;
}

/** A completed exchange. `refused`: with a status other than 2xx. */
export interface Exchange {
  readonly ms: number;
  readonly result: 'succeeded' | 'refused' | 'unanswered';
}

/** An endpoint that does not answer within this time is slow until it does. */
export const SLOW_MS = 1_000;
const WINDOW_MAX = 32;
/** An answer that takes this long occupies a slot for half of the possible time. */
const VERY_SLOW_MS = 5_000;
const WINDOW_WHEN_VERY_SLOW = 4;
const RETRY_SHARE = 4;
/** No more is leased than can be sent within this time, which is well within a lease. */
const AHEAD_MS = 5_000;
/** Enough to continue sending while more is leased and results are saved. */
const LEASES_MAX = 2_048;
/** Weight of each exchange in the average. */
const WEIGHT = 0.2;

export const UNKNOWN: EndpointRecord = { pace: 'unproven', window: 1, exchangeMs: SLOW_MS };

/**
 * The window doubles with every quick answer, so that a new or recovered endpoint is at full speed
 * after five. It grows by one with a slow answer. Every failure halves it: an endpoint that fails
 * occasionally keeps its speed, one that always fails gets one request at a time. Silence resets it
 * at once.
 */
export function afterExchange(record: EndpointRecord, { ms, result }: Exchange): EndpointRecord {
  const exchangeMs = record.exchangeMs + WEIGHT * (Math.max(1, ms) - record.exchangeMs);
  const isQuick = ms < SLOW_MS;
  if (result === 'unanswered' && !isQuick) return { pace: 'slow', window: 1, exchangeMs };
  if (result !== 'succeeded') {
    const window = Math.max(1, Math.floor(record.window / 2));
    if (!isQuick) return { pace: 'slow', window, exchangeMs };
    return { pace: window === 1 ? 'failing' : 'quick', window, exchangeMs };
  }
  if (isQuick)
    return { pace: 'quick', window: Math.min(WINDOW_MAX, 2 * record.window), exchangeMs };
  const most = ms < VERY_SLOW_MS ? WINDOW_MAX : WINDOW_WHEN_VERY_SLOW;
  return { pace: 'slow', window: Math.min(most, record.window + 1), exchangeMs };
}

/** A request has had no answer for `SLOW_MS`; the endpoint counts as slow before it ends. */
export function afterSilence(record: EndpointRecord): EndpointRecord {
  return record.pace === 'slow' ? record : { ...record, pace: 'slow', window: 1 };
}

/** How many requests of a kind may be in progress at the same time. */
export function slotsOf({ window }: EndpointRecord, kind: Kind): number {
  return kind === 'fresh' ? window : Math.ceil(window / RETRY_SHARE);
}

/** How many deliveries of a kind to lease for it: ahead only for an endpoint known to be quick. */
export function leasesOf(record: EndpointRecord, kind: Kind): number {
  const slots = slotsOf(record, kind);
  if (record.pace !== 'quick') return slots;
  const ahead = Math.round((slots * AHEAD_MS) / record.exchangeMs);
  return Math.min(LEASES_MAX, Math.max(slots, ahead));
}
