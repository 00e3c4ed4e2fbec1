import type { Claimed, Task } from './claim-tasks.ts';
import type { EndpointRow } from './endpoint.ts';
import { firstRoom, Lane, type LaneKind, type Stock } from './lane.ts';
import type { Claim, Room } from './queue-store.ts';

/** Endpoints read longer ago are read again before anything is sent to them. */
const STALE_MS = 1_000;

export interface Turn {
  readonly task: Task;
  readonly lane: Lane<Task>;
}

interface Lanes {
  readonly fresh: Lane<Task>;
  readonly retry: Lane<Task>;
}

/** What this process has in hand for one Project. */
export class Hand {
  readonly projectId: string;
  /** Somebody asked for another look at what is due. */
  isWanted = false;
  isClaiming = false;
  isReading = false;
  /** Requests on their way. */
  sending = 0;
  readonly #stock: Stock;
  readonly #lanes = new Map<string, Lanes>();
  #endpoints = new Map<string, EndpointRow>();
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(projectId: string, stock: Stock) {
    this.projectId = projectId;
    this.#stock = stock;
  }

  /** What a claim can lease now. */
  room(): Pick<Claim, 'rooms' | 'roomOfOthers'> {
    return {
      rooms: [...this.#lanes].map(
        ([queueId, { fresh, retry }]): Room => ({
          queueId,
          fresh: fresh.room,
          retries: retry.room,
        }),
      ),
      roomOfOthers: { fresh: firstRoom('fresh'), retries: firstRoom('retry') },
    };
  }

  /** Whether new deliveries can be leased at once for any endpoint. */
  get hasRoomForFresh(): boolean {
    const lanes = [...this.#lanes.values()];
    return lanes.length < this.#endpoints.size || lanes.some(({ fresh }) => fresh.room > 0);
  }

  /** All that could be leased fills its lanes; whoever took up all that was offered may have more. */
  take({ endpoints, tasks }: Claimed, offered: Pick<Claim, 'rooms' | 'roomOfOthers'>): void {
    this.know(endpoints);
    const taken = new Map<Lane<Task>, number>();
    for (const task of tasks) {
      const lane = this.#laneOf(task);
      lane.add(task);
      taken.set(lane, (taken.get(lane) ?? 0) + 1);
    }
    const rooms = new Map(offered.rooms.map((room) => [room.queueId, room]));
    for (const [queueId, { fresh, retry }] of this.#lanes) {
      const room = rooms.get(queueId) ?? offered.roomOfOthers;
      // Where there was no room, nobody looked.
      if (room.fresh > 0) fresh.hasMore = (taken.get(fresh) ?? 0) >= room.fresh;
      if (room.retries > 0) retry.hasMore = (taken.get(retry) ?? 0) >= room.retries;
    }
  }

  /** New deliveries have come that no lane has room for. */
  expectMore(): void {
    for (const { fresh } of this.#lanes.values()) fresh.hasMore = true;
  }

  know(endpoints: readonly EndpointRow[]): void {
    this.#endpoints = new Map(
      endpoints.flatMap((endpoint) =>
        endpoint.queueId === null ? [] : [[endpoint.queueId, endpoint]],
      ),
    );
    this.#readAtMs = performance.now();
    for (const [queueId, { fresh, retry }] of this.#lanes) {
      const isGone = !this.#endpoints.has(queueId) && !fresh.isWaiting && !retry.isWaiting;
      if (isGone) this.#lanes.delete(queueId);
    }
  }

  /** By the queue that a delivery waits under; undefined once that was given up. */
  endpointOf(queueId: string): EndpointRow | undefined {
    return this.#endpoints.get(queueId);
  }

  get isStale(): boolean {
    return performance.now() - this.#readAtMs > STALE_MS;
  }

  get isWaiting(): boolean {
    return this.#all().some((lane) => lane.isWaiting);
  }

  /** Nothing in hand, and nothing to remember. */
  get isIdle(): boolean {
    const isBusy = this.isWanted || this.isClaiming || this.isReading;
    return !isBusy && this.#all().every((lane) => lane.isIdle);
  }

  /** The next to be sent: each endpoint in turn, so that none is behind another's crowd. */
  next(): Turn | undefined {
    for (const [queueId, lanes] of this.#lanes) {
      for (const lane of [lanes.fresh, lanes.retry]) {
        const task = lane.next();
        if (task === undefined) continue;
        // To the end of the row.
        this.#lanes.delete(queueId);
        this.#lanes.set(queueId, lanes);
        return { task, lane };
      }
    }
    return undefined;
  }

  /** Takes back whatever is not yet being sent. */
  empty(): Task[] {
    return this.#all().flatMap((lane) => lane.empty());
  }

  #all(): Lane<Task>[] {
    return [...this.#lanes.values()].flatMap(({ fresh, retry }) => [fresh, retry]);
  }

  #laneOf({ delivery }: Task): Lane<Task> {
    const { queueId, isRetry } = delivery;
    const lanes = this.#lanes.get(queueId) ?? {
      fresh: new Lane('fresh', this.#stock),
      retry: new Lane('retry', this.#stock),
    };
    this.#lanes.set(queueId, lanes);
    const kind: LaneKind = isRetry ? 'retry' : 'fresh';
    return lanes[kind];
  }
}
