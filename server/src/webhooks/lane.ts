/** First attempts and retries have lanes of their own: neither waits for the other. */
const SLOTS = { fresh: 32, retry: 8 } as const;
/** As many requests go to an endpoint at the same time. */
export const ENDPOINT_SLOTS = SLOTS.fresh + SLOTS.retry;
/** An endpoint that takes that long for an exchange gets few slots until it is quicker. */
const SLOW_MS = 5_000;
const SLOTS_WHEN_SLOW = { fresh: 4, retry: 1 } as const;
/** No more is leased than can be sent within this time: well within a lease. */
const AHEAD_MS = 5_000;
/** Enough to go on sending while more is being leased and results are being written down. */
const ROOM_MAX = 2_048;
/** What a process holds at most for all endpoints together, but for a little for each. */
const STOCK_MAX = 20_000;
const SHARE_MIN = 64;
/** What an exchange is taken to last before any was seen, and how much each one tells. */
const FIRST_GUESS_MS = 1_000;
const WEIGHT = 0.2;

export type LaneKind = keyof typeof SLOTS;

/** What a lane that nothing is known of has room for. */
export function firstRoom(kind: LaneKind): number {
  return roomFor(SLOTS[kind], FIRST_GUESS_MS);
}

function roomFor(slots: number, exchangeMs: number): number {
  return Math.min(ROOM_MAX, Math.max(slots, Math.round((slots * AHEAD_MS) / exchangeMs)));
}

/** How much a process has leased, over all its lanes: backlogs of many endpoints must fit in memory. */
export class Stock {
  size = 0;
}

/**
 * What this process has in hand for one endpoint in one lane: waiting for a slot, being sent, or
 * being written down.
 */
export class Lane<T> {
  /** Whether there was more to lease than there was room for. */
  hasMore = false;
  readonly #kind: LaneKind;
  readonly #stock: Stock;
  readonly #waiting: T[] = [];
  #leased = 0;
  #sending = 0;
  #exchangeMs = FIRST_GUESS_MS;
  #isSlow = false;

  constructor(kind: LaneKind, stock: Stock) {
    this.#kind = kind;
    this.#stock = stock;
  }

  /** How many more can be leased; 0 while it would be a few only, since each time costs a transaction. */
  get room(): number {
    const most = roomFor(this.#slots, this.#exchangeMs);
    const free = most - this.#leased;
    const share = Math.max(SHARE_MIN, STOCK_MAX - this.#stock.size);
    return free * 2 >= most ? Math.min(free, share) : 0;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get isIdle(): boolean {
    return this.#leased === 0;
  }

  add(task: T): void {
    this.#waiting.push(task);
    this.#count(1);
  }

  /** The next to be sent, if there is one and a slot for it. */
  next(): T | undefined {
    if (this.#sending >= this.#slots) return undefined;
    const task = this.#waiting.shift();
    if (task !== undefined) this.#sending += 1;
    return task;
  }

  /** Takes back whatever is not yet being sent. */
  empty(): T[] {
    const tasks = this.#waiting.splice(0);
    this.#count(-tasks.length);
    return tasks;
  }

  /**
   * A slot is free again, after an exchange that took so long; null if there was none. What it was
   * for keeps its place until what came of it is written down.
   */
  endSending(exchangeMs: number | null): void {
    this.#sending -= 1;
    if (exchangeMs === null) return;
    this.#isSlow = exchangeMs >= SLOW_MS;
    this.#exchangeMs += WEIGHT * (Math.max(1, exchangeMs) - this.#exchangeMs);
  }

  free(): void {
    this.#count(-1);
  }

  #count(change: number): void {
    this.#leased += change;
    this.#stock.size += change;
  }

  get #slots(): number {
    return (this.#isSlow ? SLOTS_WHEN_SLOW : SLOTS)[this.#kind];
  }
}
