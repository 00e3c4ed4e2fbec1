interface Size {
  /** Requests at the same time. */
  readonly slots: number;
  /** Leased by this process: waiting for a slot, being sent, or being written down. */
  readonly room: number;
}

/** First attempts and retries have lanes of their own: neither waits for the other. */
const SIZES = {
  fresh: { well: { slots: 32, room: 512 }, ill: { slots: 4, room: 4 } },
  retry: { well: { slots: 8, room: 128 }, ill: { slots: 1, room: 1 } },
} as const satisfies Record<string, { readonly well: Size; readonly ill: Size }>;

export type LaneKind = keyof typeof SIZES;

/** What a lane that nothing is known of has room for. */
export function fullRoom(kind: LaneKind): number {
  return SIZES[kind].well.room;
}

/**
 * What this process has in hand for one endpoint in one lane. An endpoint that does not answer in
 * good time gets few requests at once until it does, so that it keeps few places from others.
 */
export class Lane<T> {
  readonly #kind: LaneKind;
  readonly #waiting: T[] = [];
  #leased = 0;
  #sending = 0;
  #isWell = true;

  constructor(kind: LaneKind) {
    this.#kind = kind;
  }

  /** How many more can be leased; 0 while it would be a few only, since each time costs a transaction. */
  get room(): number {
    const { room } = this.#size;
    const free = room - this.#leased;
    return free * 2 >= room ? free : 0;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Nothing in hand, and nothing to remember. */
  get isIdle(): boolean {
    return this.#leased === 0 && this.#isWell;
  }

  add(task: T): void {
    this.#waiting.push(task);
    this.#leased += 1;
  }

  /** The next to be sent, if there is one and a slot for it. */
  next(): T | undefined {
    if (this.#sending >= this.#size.slots) return undefined;
    const task = this.#waiting.shift();
    if (task !== undefined) this.#sending += 1;
    return task;
  }

  /** Takes back whatever is not yet being sent. */
  empty(): T[] {
    const tasks = this.#waiting.splice(0);
    this.#leased -= tasks.length;
    return tasks;
  }

  /** A request is over, well or not. It keeps its place until what came of it is written down. */
  endSending(isWell: boolean): void {
    this.#sending -= 1;
    this.#isWell = isWell;
  }

  free(): void {
    this.#leased -= 1;
  }

  get #size(): Size {
    return this.#isWell ? SIZES[this.#kind].well : SIZES[this.#kind].ill;
  }
}
