import type { Pace } from '../dispatch/endpoint-record.ts';

/** Requests in progress in one process. Each costs little more than a waiting socket. */
export const SENDING_MAX = 1_000;
/** Of those, to endpoints that are not known to be quick; the rest is reserved for quick ones. */
export const NOT_QUICK_MAX = 750;
/**
 * Of those, new requests to endpoints known to be slow or failing; the rest is for unproven ones.
 */
export const SLOW_MAX = 500;
/**
 * The share of a pool's free slots that one endpoint may hold. It is not limiting while little is
 * in progress, and shrinks with the load, so that a hundred endpoints do not use up a pool.
 */
const SHARE = 1 / 24;
/** The most that a process leases for all quick endpoints together, apart from a few for each. */
const LEASED_MAX = 20_000;
const LEASED_MIN = 64;

type Counts = Record<Pace, number>;

/**
 * Divides the requests of one process among its endpoints, by their pace. An endpoint that turns
 * out to be slow keeps its slots: its new pool can be overfull for the duration of an attempt, and
 * assigns nothing until it no longer is.
 */
export class SlotPools {
  readonly #sending: Counts = { unproven: 0, quick: 0, slow: 0, failing: 0 };
  /** Waiting for a slot, in progress, or being saved. */
  readonly #leased: Counts = { unproven: 0, quick: 0, slow: 0, failing: 0 };

  get sending(): number {
    return total(this.#sending);
  }

  get leased(): number {
    return total(this.#leased);
  }

  /** Whether an endpoint with `own` requests in progress may start another. */
  maySend(pace: Pace, own: number): boolean {
    const free = this.#free(pace);
    return free > 0 && own < Math.max(1, Math.floor(free * SHARE));
  }

  /** How many more may be leased for endpoints of this pace. */
  mayLease(pace: Pace): number {
    if (pace === 'quick') return Math.max(LEASED_MIN, LEASED_MAX - this.leased);
    return Math.max(0, freeOfNotQuick(pace, this.#leased));
  }

  /** Whether slow endpoints can continue without taking turns. */
  get hasPlentyForSlow(): boolean {
    return this.mayLease('slow') > SLOW_MAX / 2;
  }

  countSending(pace: Pace, change: number): void {
    this.#sending[pace] += change;
  }

  countLeased(pace: Pace, change: number): void {
    this.#leased[pace] += change;
  }

  #free(pace: Pace): number {
    const all = SENDING_MAX - this.sending;
    return pace === 'quick' ? all : Math.min(all, freeOfNotQuick(pace, this.#sending));
  }
}

function freeOfNotQuick(pace: Pace, { unproven, slow, failing }: Counts): number {
  const free = NOT_QUICK_MAX - unproven - slow - failing;
  return pace === 'unproven' ? free : Math.min(free, SLOW_MAX - slow - failing);
}

function total({ unproven, quick, slow, failing }: Counts): number {
  return unproven + quick + slow + failing;
}
