import type { Pace } from '../dispatch/endpoint-record.ts';

/** Requests on their way from one process. Each waits on a socket, hardly more. */
export const SENDING_MAX = 1_000;
/** Of those, to endpoints that are not known to be quick; the rest is for those that answer. */
export const NOT_QUICK_MAX = 750;
/** Of those, new ones to endpoints that are known to be slow or failing; the rest is for finding out. */
export const SLOW_MAX = 500;
/**
 * What of the free slots of a pool one endpoint may hold. All of its own while little is on the way;
 * less, the more there is, so that a hundred endpoints do not use up a pool.
 */
const SHARE = 1 / 24;
/** What a process leases at most for all quick endpoints together, but for a little for each. */
const LEASED_MAX = 20_000;
const LEASED_MIN = 64;

type Counts = Record<Pace, number>;

/**
 * Divides the requests of one process between its endpoints, by what is known of them. Whoever turns
 * out to be slow takes what it holds along: a pool can be overfull for the length of an attempt,
 * and gives nothing away until it no longer is.
 */
export class SlotPools {
  readonly #sending: Counts = { unproven: 0, quick: 0, slow: 0, failing: 0 };
  /** Waiting for a slot, on their way, or being saved. */
  readonly #leased: Counts = { unproven: 0, quick: 0, slow: 0, failing: 0 };

  get sending(): number {
    return total(this.#sending);
  }

  get leased(): number {
    return total(this.#leased);
  }

  /** Whether an endpoint that has `own` requests on their way may have another. */
  maySend(pace: Pace, own: number): boolean {
    const free = this.#free(pace);
    return free > 0 && own < Math.max(1, Math.floor(free * SHARE));
  }

  /** How many more may be leased for endpoints of this pace. */
  mayLease(pace: Pace): number {
    if (pace === 'quick') return Math.max(LEASED_MIN, LEASED_MAX - this.leased);
    return Math.max(0, freeOfNotQuick(pace, this.#leased));
  }

  /** Whether slow endpoints need not take turns: each may go on by itself. */
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
