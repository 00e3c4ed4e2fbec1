import { addMs, HOUR_MS, type Instant, toInstant, toMs } from '../kit/instant.ts';
import { createLimit } from '../kit/limit.ts';
import { startWorker } from '../kit/worker.ts';
import { attemptDelivery, type Finished } from './attempt-delivery.ts';
import { claimTasks, type Task } from './claim-tasks.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import { findEndpoints } from './endpoint-store.ts';
import { Hand, type Turn } from './hand.ts';
import {
  AT_ONCE,
  deleteAbandoned,
  listDueQueues,
  listProjectsDueAfter,
  updateDueAfter,
  updateDueAgain,
} from './queue-store.ts';
import { createRecorder } from './recorder.ts';
import { DEADLINE_MS } from './send-request.ts';

const POLL_MS = 1_000;
const CLAIMS_MAX = 4;
/** Over all endpoints. Each waits on a socket, hardly more. */
const SENDING_MAX = 1_000;
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

/** Sends what is due, once a second and when told. Any number of processes may run one. */
export function startDispatcher(deps: DispatchDeps): Dispatcher {
  const dispatcher = createDispatcher(deps);
  const worker = startWorker({
    runOnce: async () => {
      await dispatcher.poll();
      return 0;
    },
    pollMs: POLL_MS,
    pollMaxMs: POLL_MS,
    onFailure: deps.onFailure,
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
  const running = new Set<Promise<void>>();
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
    const hand = hands.get(projectId) ?? new Hand(projectId);
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
    while (sending < SENDING_MAX) {
      const turn = hand.next();
      if (!turn) return;
      sending += 1;
      start(() => serve(hand, turn));
    }
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
        finished = await attempt(hand, task);
      } finally {
        lane.endSending(finished?.isPrompt ?? true);
        giveSlotBack(hand);
      }
      // An endpoint that hangs has no use for what waits here; another process may have.
      if (finished && !finished.isPrompt) await putBack(hand.projectId, lane.empty());
      if (finished) await recorder.record(hand.projectId, finished);
    } finally {
      lane.free();
      if (hand.hasMore && lane.room > 0 && !isStopping) want(hand.projectId);
      forget(hand);
    }
  }

  function giveSlotBack(hand: Hand): void {
    const wasFull = sending === SENDING_MAX;
    sending -= 1;
    if (wasFull) for (const one of hands.values()) pump(one);
    else pump(hand);
  }

  async function attempt(hand: Hand, task: Task): Promise<Finished | undefined> {
    const endpoint = hand.endpointOf(task.delivery.queueId);
    // Its queue was given up while it waited: nobody is to get it any more.
    if (!endpoint) return undefined;
    const leftMs = toMs(task.leasedUntil) - deps.clock.nowMs();
    const finished =
      leftMs < LEASE_LEFT_MS ? undefined : await attemptDelivery(deps, endpoint, task);
    if (finished) attempts += 1;
    else await putBack(hand.projectId, [task]);
    return finished;
  }

  async function putBack(projectId: string, tasks: readonly Task[]): Promise<void> {
    if (tasks.length === 0) return;
    const now = toInstant(deps.clock.nowMs());
    const again = tasks.map(({ leaseId, delivery: { queueId, event, attempts, isRetry } }) => ({
      queueId,
      position: event.position,
      leaseId,
      attempts,
      dueAt: isRetry ? now : AT_ONCE,
    }));
    await deps.database.transaction(async (tx) => updateDueAgain(tx, projectId, again));
  }

  function forget(hand: Hand): void {
    if (hand.isIdle) hands.delete(hand.projectId);
  }

  async function poll(): Promise<number> {
    const now = toInstant(deps.clock.nowMs());
    await pullBack(now);
    const due = await listDueQueues(deps.database.reads, now);
    for (const { projectId, queueId, isAbandoned } of due) {
      if (!isAbandoned) want(projectId);
      else start(() => clear(projectId, queueId));
    }
    return due.length;
  }

  /** What a process whose clock was far ahead has put off, or leased, is due now. */
  async function pullBack(now: Instant): Promise<void> {
    const latest = addMs(now, DUE_WITHIN_MS);
    for (const projectId of await listProjectsDueAfter(deps.database.reads, latest)) {
      await deps.database.transaction(async (tx) => updateDueAfter(tx, projectId, latest, now));
    }
  }

  async function clear(projectId: string, queueId: string): Promise<void> {
    const clearSlice = () =>
      deps.database.transaction((tx) => deleteAbandoned(tx, projectId, queueId, ABANDONED_SLICE));
    while (!isStopping && (await clearSlice()) === ABANDONED_SLICE);
  }

  return {
    poll,
    poke(projectId) {
      const hand = hands.get(projectId);
      // Not each time if all endpoints that it knows have their hands full.
      if (hand && !hand.hasRoomForFresh && !hand.isStale) hand.hasMore = true;
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
