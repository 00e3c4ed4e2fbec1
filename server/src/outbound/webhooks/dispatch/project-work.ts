import type { EndpointRow } from '../endpoints/endpoint.ts';
import type { ClaimClass } from '../queue/claim-scheduler.ts';
import type { Claimed, Task } from '../queue/claim-tasks.ts';
import type { Claim, DueQueue, Room } from '../queue/queue-store.ts';
import type { SlotPools } from '../queue/slot-pools.ts';
import { type Kind, leasesOf, UNKNOWN } from './endpoint-record.ts';
import { EndpointWork } from './endpoint-work.ts';

/** Endpoints read longer ago are read again before anything is sent to them. */
const STALE_MS = 1_000;

/** A delivery that has a slot. */
export interface Turn {
  readonly task: Task;
  readonly kind: Kind;
  readonly endpoint: EndpointWork<Task>;
}

type Rooms = Pick<Claim, 'rooms' | 'roomOfOthers'>;

let leases = 0;

/** What one process has leased for one project, and what it has learned about its endpoints. */
export class ProjectWork {
  readonly projectId: string;
  isReading = false;
  readonly #pools: SlotPools;
  /** By queue id of the endpoint. */
  readonly #works = new Map<string, EndpointWork<Task>>();
  #endpoints = new Map<string, EndpointRow>();
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(projectId: string, pools: SlotPools) {
    this.projectId = projectId;
    this.#pools = pools;
  }

  /** What a claim of a class can lease now; null for nothing. */
  room(of: ClaimClass): Rooms | null {
    const rooms = [...this.#works].map(([queueId, work]): Room => {
      const isMeant = work.isIn(of);
      return {
        queueId,
        fresh: isMeant ? work.room('fresh') : 0,
        retries: isMeant ? work.room('retry') : 0,
      };
    });
    const most = this.#pools.mayLease('unproven');
    const roomOfOthers = {
      fresh: Math.min(most, leasesOf(UNKNOWN, 'fresh')),
      retries: Math.min(most, leasesOf(UNKNOWN, 'retry')),
    };
    const hasRoom = [...rooms, roomOfOthers].some(({ fresh, retries }) => fresh + retries > 0);
    return hasRoom ? { rooms, roomOfOthers } : null;
  }

  /** Whether any due delivery of a queue can be leased now. */
  hasRoomFor({ queueId, hasFresh, hasRetries }: DueQueue): boolean {
    const work = this.#works.get(queueId);
    if (!work) return this.#pools.mayLease('unproven') > 0;
    return (hasFresh && work.room('fresh') > 0) || (hasRetries && work.room('retry') > 0);
  }

  /** Whether new deliveries can be leased at once for any endpoint of a class. */
  hasRoomForFresh(of: ClaimClass): boolean {
    const works = [...this.#works.values()];
    const hasNew = of === 'urgent' && works.length < this.#endpoints.size;
    return hasNew || works.some((work) => work.isIn(of) && work.room('fresh') > 0);
  }

  isAnswering(queueId: string): boolean {
    return this.#works.get(queueId)?.isAnswering ?? false;
  }

  lastLeasedOf(queueId: string): number {
    return this.#works.get(queueId)?.lastLeased ?? 0;
  }

  /**
   * Adds everything that was leased. An endpoint that used all of its offered room may have more.
   */
  take({ endpoints, tasks }: Claimed, offered: Rooms): void {
    this.know(endpoints);
    const taken = new Map<EndpointWork<Task>, Record<Kind, number>>();
    for (const task of tasks) {
      const work = this.#workOf(task.delivery.queueId);
      const kind = task.delivery.isRetry ? 'retry' : 'fresh';
      work.add(kind, task);
      leases += 1;
      work.lastLeased = leases;
      const counts = taken.get(work) ?? { fresh: 0, retry: 0 };
      counts[kind] += 1;
      taken.set(work, counts);
    }
    const rooms = new Map(offered.rooms.map((room) => [room.queueId, room]));
    for (const [queueId, work] of this.#works) {
      const room = rooms.get(queueId) ?? offered.roomOfOthers;
      const counts = taken.get(work) ?? { fresh: 0, retry: 0 };
      // Where there was no room, nothing was claimed.
      if (room.fresh > 0) work.expectMore('fresh', counts.fresh >= room.fresh);
      if (room.retries > 0) work.expectMore('retry', counts.retry >= room.retries);
    }
  }

  /** New deliveries have arrived that no endpoint has room for. */
  expectMore(): void {
    for (const work of this.#works.values()) work.expectMore('fresh', true);
  }

  know(endpoints: readonly EndpointRow[]): void {
    this.#endpoints = new Map(
      endpoints.flatMap((endpoint) =>
        endpoint.queueId === null ? [] : [[endpoint.queueId, endpoint]],
      ),
    );
    this.#readAtMs = performance.now();
    for (const [queueId, work] of this.#works) {
      if (!this.#endpoints.has(queueId) && !work.isWaiting) this.#works.delete(queueId);
    }
  }

  /** By queue id of a delivery; undefined while the queue is paused and once it is abandoned. */
  endpointOf(queueId: string): EndpointRow | undefined {
    return this.#endpoints.get(queueId);
  }

  get isStale(): boolean {
    return performance.now() - this.#readAtMs > STALE_MS;
  }

  get isWaiting(): boolean {
    return [...this.#works.values()].some((work) => work.isWaiting);
  }

  get isIdle(): boolean {
    return !this.isReading && [...this.#works.values()].every((work) => work.isIdle);
  }

  /**
   * The next delivery to send: endpoints take turns, so that none waits behind another's backlog.
   * `full` if only the pool has no slot for it.
   */
  next(): Turn | 'full' | undefined {
    let isFull = false;
    for (const [queueId, endpoint] of this.#works) {
      const next = endpoint.next();
      if (next === 'full') isFull = true;
      if (next === 'full' || next === undefined) continue;
      this.#works.delete(queueId);
      this.#works.set(queueId, endpoint);
      return { ...next, endpoint };
    }
    return isFull ? 'full' : undefined;
  }

  /** Takes back everything that is not being sent yet. */
  takeBack(): Task[] {
    return [...this.#works.values()].flatMap((work) => work.takeBack());
  }

  #workOf(queueId: string): EndpointWork<Task> {
    const work = this.#works.get(queueId) ?? new EndpointWork(this.#pools);
    this.#works.set(queueId, work);
    return work;
  }
}
