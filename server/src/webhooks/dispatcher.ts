import type { DatabaseClock } from '../db/database-clock.ts';
import { makeNewId } from '../kit/ids.ts';
import { addMs, HOUR_MS, type Instant } from '../kit/instant.ts';
import { createLimit } from '../kit/limit.ts';
import { startWorker, type Watch } from '../kit/worker.ts';
import { attemptDelivery, type Finished } from './attempt-delivery.ts';
import { claimTasks, dueTimesAt, type Task } from './claim-tasks.ts';
import { ENDPOINTS_MAX } from './create-endpoint.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import { findEndpoints } from './endpoint-store.ts';
import { Hand, type Turn } from './hand.ts';
import { ENDPOINT_SLOTS, Stock } from './lane.ts';
import { restAfterPoll } from './poll-rest.ts';
import {
  deleteAbandoned,
  listDueQueues,
  listProjectsDueAfter,
  releaseLeases,
  updateDueAfter,
} from './queue-store.ts';
import { createRecorder } from './recorder.ts';
import { DEADLINE_MS } from './send-request.ts';

const POLL_MS = 1_000;
const CLAIMS_MAX = 4;
/** Over all endpoints. Each waits on a socket, hardly more. */
const SENDING_MAX = 1_000;
/** Enough for all endpoints of a Project, so that those that hang keep no slots from the others. */
const PROJECT_SENDING_MAX = ENDPOINTS_MAX * ENDPOINT_SLOTS;
/** A lease with less left is given back unsent: the answer could come after its end. */
const LEASE_LEFT_MS = DEADLINE_MS + 2_000;
/** The longest wait there is, and more than clocks differ. */
const DUE_WITHIN_MS = HOUR_MS + 300_000;
const ABANDONED_SLICE = 1_000;

export interface Dispatcher {
  /** Deliveries were queued in this Project: looks at it now, instead of at the next poll. */
  poke(projectId: string): void;
  /** Sends all that is due, and waits until it is written down; returns how many attempts. */
  runOnce(): Promise<number>;
  /** Sends nothing new, and waits for what is on its way. */
  stop(): Promise<void>;
}

/**
 * Sends what is due, once a second and when told. Any number of processes may run one. They go by
 * the time of the database: by clocks of their own that differ by hours, each would take what
 * another has put off or leased for due, and use up all attempts of a delivery within a minute.
 * Attempts sort by that time, too.
 */
export function startDispatcher(
  deps: Omit<DispatchDeps, 'newId'> & { readonly clock: DatabaseClock } & Pick<Watch, 'onRun'>,
): Dispatcher {
  const dispatcher = createDispatcher({ ...deps, newId: makeNewId(deps.clock.nowMs) });
  let notBeforeMs = 0;
  const worker = startWorker({
    runOnce: async () => {
      const startedMs = performance.now();
      if (startedMs < notBeforeMs) return 0;
      await deps.clock.sync();
      await dispatcher.poll();
      const endedMs = performance.now();
      notBeforeMs = endedMs + restAfterPoll(endedMs - startedMs);
      return 0;
    },
    pollMs: POLL_MS,
    pollMaxMs: POLL_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
  return {
    ...dispatcher,
    async stop() {
      await Promise.all([worker.stop(), dispatcher.stop()]);
    },
  };
}

/** The same without polling by itself. */
export function createDispatcher(deps: DispatchDeps): Dispatcher & { poll(): Promise<number> } {
  const recorder = createRecorder(deps);
  const limitClaims = createLimit(CLAIMS_MAX);
  const hands = new Map<string, Hand>();
  const stock = new Stock();
  const running = new Set<Promise<void>>();
  /** Queues that were given up, and are being emptied. */
  const clearing = new Set<string>();
  let sending = 0;
  let attempts = 0;
  let isStopping = false;

  /** Starts work that is waited for at the stop, and whose failure is told. */
  function start(work: () => Promise<void>): void {
    const ended: Promise<void> = work()
      .catch(deps.onFailure)
      .finally(() => running.delete(ended));
    running.add(ended);
  }

  async function settle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  /** Claims of one Project come one after another; however many ask meanwhile, one more follows. */
  function want(projectId: string): void {
    const hand = hands.get(projectId) ?? new Hand(projectId, stock);
    hands.set(projectId, hand);
    hand.isWanted = true;
    if (hand.isClaiming) return;
    hand.isClaiming = true;
    start(async () => {
      try {
        while (hand.isWanted && !isStopping) {
          hand.isWanted = false;
          await limitClaims(() => claim(hand));
        }
      } finally {
        hand.isClaiming = false;
        forget(hand);
      }
    });
  }

  async function claim(hand: Hand): Promise<void> {
    const offered = hand.room();
    hand.take(await claimTasks(deps, hand.projectId, offered), offered);
    if (isStopping) await putBack(hand.projectId, hand.empty());
    else pump(hand);
  }

  function pump(hand: Hand): void {
    if (isStopping) return;
    if (hand.isStale && hand.isWaiting) {
      refresh(hand);
      return;
    }
    while (sending < SENDING_MAX && hand.sending < PROJECT_SENDING_MAX) {
      const turn = hand.next();
      if (!turn) return;
      sending += 1;
      hand.sending += 1;
      start(() => serve(hand, turn));
      if (sending === SENDING_MAX) moveToEnd(hand);
    }
  }

  /** The others come first when a slot is free again. */
  function moveToEnd(hand: Hand): void {
    if (hands.delete(hand.projectId)) hands.set(hand.projectId, hand);
  }

  /** What waited for its turn goes to the endpoint as it stands then. */
  function refresh(hand: Hand): void {
    if (hand.isReading) return;
    hand.isReading = true;
    start(async () => {
      try {
        hand.know(await findEndpoints(deps.database.reads, hand.projectId));
      } finally {
        hand.isReading = false;
      }
      pump(hand);
    });
  }

  async function serve(hand: Hand, { task, lane }: Turn): Promise<void> {
    try {
      let finished: Finished | undefined;
      try {
        finished = await attempt(hand, { task, lane });
      } finally {
        lane.endSending(finished?.exchangeMs ?? null);
        giveSlotBack(hand);
      }
      if (finished) await recorder.record(hand.projectId, finished);
    } finally {
      lane.free();
      if (lane.hasMore && lane.room > 0 && !isStopping) want(hand.projectId);
      forget(hand);
    }
  }

  function giveSlotBack(hand: Hand): void {
    const wasFull = sending === SENDING_MAX;
    sending -= 1;
    hand.sending -= 1;
    if (wasFull) for (const one of [...hands.values()]) pump(one);
    else pump(hand);
  }

  async function attempt(hand: Hand, { task, lane }: Turn): Promise<Finished | undefined> {
    const endpoint = hand.endpointOf(task.delivery.queueId);
    if (!endpoint) {
      // Disabled while it waited: it is due again once the endpoint is enabled.
      await putBack(hand.projectId, [task]);
      return undefined;
    }
    const leftMs = task.leasedUntilMs - deps.clock.nowMs();
    if (leftMs < LEASE_LEFT_MS) {
      // More was leased than can be sent in time: another process may be quicker with all of it.
      await putBack(hand.projectId, [task, ...lane.empty()]);
      return undefined;
    }
    const finished = await attemptDelivery(deps, endpoint, task);
    if (finished) attempts += 1;
    else await putBack(hand.projectId, [task]);
    return finished;
  }

  async function putBack(projectId: string, tasks: readonly Task[]): Promise<void> {
    if (tasks.length === 0) return;
    const leased = tasks.map(({ leaseId, delivery: { queueId, event } }) => ({
      queueId,
      position: event.position,
      leaseId,
    }));
    await deps.database.transaction(async (tx) => releaseLeases(tx, projectId, leased));
  }

  /** A request that outlived its lane ends after its hand was forgotten: there may be a new one. */
  function forget(hand: Hand): void {
    if (hand.isIdle && hands.get(hand.projectId) === hand) hands.delete(hand.projectId);
  }

  async function poll(): Promise<number> {
    const times = dueTimesAt(deps.clock.nowMs());
    await pullBack(times.now);
    const due = await listDueQueues(deps.database.reads, times);
    for (const { projectId, queueId, isAbandoned } of due) {
      if (!isAbandoned) want(projectId);
      else if (!clearing.has(queueId)) start(() => clear(projectId, queueId));
    }
    return due.length;
  }

  /** What was put off while the clock was far ahead is due now. */
  async function pullBack(now: Instant): Promise<void> {
    const latest = addMs(now, DUE_WITHIN_MS);
    for (const projectId of await listProjectsDueAfter(deps.database.reads, latest)) {
      await deps.database.transaction(async (tx) => updateDueAfter(tx, projectId, latest, now));
    }
  }

  async function clear(projectId: string, queueId: string): Promise<void> {
    const clearSlice = () =>
      deps.database.transaction((tx) => deleteAbandoned(tx, projectId, queueId, ABANDONED_SLICE));
    clearing.add(queueId);
    try {
      while (!isStopping && (await clearSlice()) === ABANDONED_SLICE);
    } finally {
      clearing.delete(queueId);
    }
  }

  return {
    poll,
    poke(projectId) {
      const hand = hands.get(projectId);
      // Not each time if all endpoints that it knows have their hands full.
      if (hand && !hand.hasRoomForFresh && !hand.isStale) hand.expectMore();
      else if (!isStopping) want(projectId);
    },
    async runOnce() {
      const before = attempts;
      while ((await poll()) > 0) await settle();
      return attempts - before;
    },
    async stop() {
      isStopping = true;
      for (const hand of hands.values()) start(() => putBack(hand.projectId, hand.empty()));
      await settle();
    },
  };
}
