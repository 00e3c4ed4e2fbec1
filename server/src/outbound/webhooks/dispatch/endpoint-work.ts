import type { ClaimClass } from '../queue/claim-scheduler.ts';
import type { SlotPools } from '../queue/slot-pools.ts';
import {
  afterExchange,
  afterSilence,
  type EndpointRecord,
  type Exchange,
  type Kind,
  leasesOf,
  type Pace,
  slotsOf,
  UNKNOWN,
} from './endpoint-record.ts';

const KINDS = ['fresh', 'retry'] as const satisfies readonly Kind[];

class Backlog<T> {
  readonly waiting: T[] = [];
  /** Waiting for a slot, in progress, or being saved. */
  leased = 0;
  sending = 0;
  /** Whether there was more to lease than there was room for. */
  hasMore = false;
}

/** What one process has leased for one endpoint, and what it has learned about the endpoint. */
export class EndpointWork<T> {
  readonly #pools: SlotPools;
  readonly #backlogs = { fresh: new Backlog<T>(), retry: new Backlog<T>() };
  #record: EndpointRecord = UNKNOWN;
  #answers = 0;
  /** Increases with every lease of any endpoint: the lowest value has waited longest. */
  lastLeased = 0;

  constructor(pools: SlotPools) {
    this.#pools = pools;
  }

  get pace(): Pace {
    return this.#record.pace;
  }

  /** Whether its last requests succeeded, even if slowly. */
  get isAnswering(): boolean {
    return this.#record.window > 1;
  }

  /**
   * A new endpoint is in both classes: a new event for it is urgent, a backlog that the poll finds
   * is not.
   */
  isIn(of: ClaimClass): boolean {
    return this.pace === 'unproven' || this.isAnswering === (of === 'urgent');
  }

  get answers(): number {
    return this.#answers;
  }

  /**
   * How many more can be leased; 0 while it would be only a few, because each claim costs a
   * transaction.
   */
  room(kind: Kind): number {
    const most = leasesOf(this.#record, kind);
    const free = most - this.#backlogs[kind].leased;
    return free * 2 >= most ? Math.min(free, this.#pools.mayLease(this.pace)) : 0;
  }

  hasMore(kind: Kind): boolean {
    return this.#backlogs[kind].hasMore;
  }

  expectMore(kind: Kind, hasMore: boolean): void {
    this.#backlogs[kind].hasMore = hasMore;
  }

  get isWaiting(): boolean {
    return KINDS.some((kind) => this.#backlogs[kind].waiting.length > 0);
  }

  get isIdle(): boolean {
    return KINDS.every((kind) => this.#backlogs[kind].leased === 0);
  }

  add(kind: Kind, task: T): void {
    this.#backlogs[kind].waiting.push(task);
    this.#countLeased(kind, 1);
  }

  /**
   * The next delivery to send, if there is one and a slot for it; `full` if only the pool has no
   * slot.
   */
  next(): { readonly task: T; readonly kind: Kind } | 'full' | undefined {
    for (const kind of KINDS) {
      const backlog = this.#backlogs[kind];
      const isHeld = backlog.sending >= slotsOf(this.#record, kind);
      if (backlog.waiting.length === 0 || isHeld) continue;
      if (!this.#pools.maySend(this.pace, this.#sending)) return 'full';
      const task = backlog.waiting.shift() as T;
      backlog.sending += 1;
      this.#pools.countSending(this.pace, 1);
      return { task, kind };
    }
    return undefined;
  }

  /** Takes back everything that is not being sent yet. */
  takeBack(): T[] {
    return KINDS.flatMap((kind) => this.#takeFrom(kind, 0));
  }

  /** Takes back what is leased further ahead than currently allowed. */
  takeExcess(): T[] {
    return KINDS.flatMap((kind) => {
      const { leased, waiting } = this.#backlogs[kind];
      const excess = Math.max(0, leased - leasesOf(this.#record, kind));
      return this.#takeFrom(kind, Math.max(0, waiting.length - excess));
    });
  }

  /**
   * Frees a slot, after an exchange if there was one. Its delivery stays leased until the result is
   * saved.
   */
  endSending(kind: Kind, exchange: Exchange | null): void {
    this.#backlogs[kind].sending -= 1;
    this.#pools.countSending(this.pace, -1);
    if (!exchange) return;
    if (exchange.result !== 'unanswered') this.#answers += 1;
    this.#learn(afterExchange(this.#record, exchange));
  }

  /**
   * A request has had no answer for `SLOW_MS`. It began when there were `answersBefore` answers: an
   * endpoint that has answered another request since is not silent.
   */
  noteSilence(answersBefore: number): void {
    if (this.#answers === answersBefore) this.#learn(afterSilence(this.#record));
  }

  free(kind: Kind): void {
    this.#countLeased(kind, -1);
  }

  #learn(record: EndpointRecord): void {
    const { pace } = this.#record;
    const leased = this.#backlogs.fresh.leased + this.#backlogs.retry.leased;
    this.#pools.countSending(pace, -this.#sending);
    this.#pools.countLeased(pace, -leased);
    this.#record = record;
    this.#pools.countSending(record.pace, this.#sending);
    this.#pools.countLeased(record.pace, leased);
  }

  #takeFrom(kind: Kind, keep: number): T[] {
    const tasks = this.#backlogs[kind].waiting.splice(keep);
    this.#countLeased(kind, -tasks.length);
    return tasks;
  }

  get #sending(): number {
    return this.#backlogs.fresh.sending + this.#backlogs.retry.sending;
  }

  #countLeased(kind: Kind, change: number): void {
    this.#backlogs[kind].leased += change;
    this.#pools.countLeased(this.pace, change);
  }
}
