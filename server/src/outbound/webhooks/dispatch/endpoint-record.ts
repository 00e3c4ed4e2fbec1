/** First attempts and retries have slots of their own: neither waits for the other. */
export type Kind = 'fresh' | 'retry';

/**
 * What a process knows of an endpoint by its last exchanges. `unproven`: none has ended yet. `slow`:
 * the last one took long, or one is taking long. `failing`: what is sent to it fails, quickly.
 */
export type Pace = 'unproven' | 'quick' | 'slow' | 'failing';

export interface EndpointRecord {
  readonly pace: Pace;
  /** How many first attempts it may have on their way at the same time. */
  readonly window: number;
  /** What an exchange lasts, by the average of the last ones. */
  readonly exchangeMs: number;
}

/** An exchange that ended. `refused`: with a status other than 2xx. */
export interface Exchange {
  readonly ms: number;
  readonly result: 'succeeded' | 'refused' | 'unanswered';
}

/** An endpoint that does not answer within this time is slow until it does. */
export const SLOW_MS = 1_000;
const WINDOW_MAX = 32;
/** One that takes that long, even if it answers, holds a slot for half of what it can. */
const VERY_SLOW_MS = 5_000;
const WINDOW_WHEN_VERY_SLOW = 4;
const RETRY_SHARE = 4;
/** No more is leased than can be sent within this time: well within a lease. */
const AHEAD_MS = 5_000;
/** Enough to go on sending while more is being leased and results are being saved. */
const LEASES_MAX = 2_048;
/** How much each exchange counts in the average. */
const WEIGHT = 0.2;

export const UNKNOWN: EndpointRecord = { pace: 'unproven', window: 1, exchangeMs: SLOW_MS };

/**
 * The window doubles with every quick answer, so that an endpoint that has recovered, or is new, is
 * at full speed after five. It grows by one with a slow answer. Every failure halves it: one that
 * fails now and then keeps its speed, one that fails always gets one at a time. Silence ends it at
 * once.
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

/** A request has been without an answer for `SLOW_MS`: it is not waited for to end. */
export function afterSilence(record: EndpointRecord): EndpointRecord {
  return record.pace === 'slow' ? record : { ...record, pace: 'slow', window: 1 };
}

/** How many requests of a kind it may have on their way at the same time. */
export function slotsOf({ window }: EndpointRecord, kind: Kind): number {
  return kind === 'fresh' ? window : Math.ceil(window / RETRY_SHARE);
}

/** How many deliveries of a kind to lease for it: ahead only for one that is known to be quick. */
export function leasesOf(record: EndpointRecord, kind: Kind): number {
  const slots = slotsOf(record, kind);
  if (record.pace !== 'quick') return slots;
  const ahead = Math.round((slots * AHEAD_MS) / record.exchangeMs);
  return Math.min(LEASES_MAX, Math.max(slots, ahead));
}
