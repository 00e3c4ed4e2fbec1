import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseClock } from '../../../platform/db/database-clock.ts';
import { DueProjects } from '../../../platform/kit/due-projects.ts';
import { makeNewId } from '../../../platform/kit/ids.ts';
import { addMs, HOUR_MS, type Instant, toMs } from '../../../platform/kit/instant.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import { startWorker, type Watch } from '../../../platform/kit/worker.ts';
import { findEndpoints } from '../endpoints/endpoint-store.ts';
import { type ClaimClass, ClaimScheduler, restAfterClaim } from '../queue/claim-scheduler.ts';
import { claimTasks, dueTimesAt, type Task } from '../queue/claim-tasks.ts';
import {
  type DueQueue,
  deleteAbandoned,
  listDueQueues,
  listProjectsDueAfter,
  listProjectsQueued,
  listQueuesOf,
  releaseLeases,
  updateDueAfter,
} from '../queue/queue-store.ts';
import { restAfterPoll } from '../queue/schedule.ts';
import { SlotPools } from '../queue/slot-pools.ts';
import type { SendResult } from '../sender/exchange.ts';
import { DEADLINE_MS } from '../sender/send-request.ts';
import { type Finished, finishAttempt, type Prepared, prepareAttempt } from './attempt-delivery.ts';
import type { DispatchDeps } from './dispatch-deps.ts';
import { type Exchange, SLOW_MS } from './endpoint-record.ts';
import { handleTogether } from './handle-together.ts';
import { OpenWork } from './open-work.ts';
import { ProjectWork, type Turn } from './project-work.ts';
import { createRecorder } from './recorder.ts';

const POLL_MS = 1_000;
/** On a distributed store: how often all projects are asked for deliveries that this process does not know of. */
const SWEEP_MS = 60_000;
/** When a project is looked at again whose node did not answer. */
const LOOK_AGAIN_MS = 10_000;
/** Concurrent looks. */
const LOOKS_MAX = 8;
/** How many idle projects it remembers, with how their endpoints behave. */
const PROJECTS_KEPT = 5_000;
/** A lease with less time left is returned unsent: the response could come after its end. */
const LEASE_LEFT_MS = DEADLINE_MS + 2_000;
/** The longest wait there is, plus more than clocks differ. */
const DUE_WITHIN_MS = HOUR_MS + 300_000;
const ABANDONED_SLICE = 1_000;

export interface Dispatcher {
  /** Deliveries of this project were queued: claims them now instead of at the next poll. */
  poke(projectId: string): void;
  /** Deliveries of any project may have been queued: asks all at the next poll. */
  sweep(): void;
  /** Sends everything that is due and waits until it is saved; returns the number of attempts. */
  runOnce(): Promise<number>;
  /** Sends nothing new, and waits for requests in progress. */
  stop(): Promise<void>;
}

/**
 * Sends what is due, once a second and on request. Any number of processes may run one. All use the
 * database's time: with own clocks that differ by hours, each process would consider due what
 * another has postponed or leased, and use up all attempts of a delivery within a minute. Attempts
 * sort by that time as well.
 */
export function startDispatcher(
  deps: Omit<DispatchDeps, 'newId'> & { readonly clock: DatabaseClock } & Pick<Watch, 'onRun'>,
): Dispatcher {
  const dispatcher = createDispatcher({ ...deps, newId: makeNewId(deps.clock.nowMs) });
  let notBeforeMs = 0;
  let sweepAtMs = 0;
  const worker = startWorker({
    runOnce: async () => {
      const startedMs = performance.now();
      if (startedMs < notBeforeMs) return 0;
      await deps.clock.sync();
      const isSweep = startedMs >= sweepAtMs;
      if (isSweep) sweepAtMs = startedMs + SWEEP_MS;
      await dispatcher.poll(isSweep);
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
    sweep() {
      sweepAtMs = 0;
    },
    async stop() {
      await Promise.all([worker.stop(), dispatcher.stop()]);
    },
  };
}

/** A delivery that gives up its slot, after an exchange unless it was not sent. */
interface Ended {
  readonly project: ProjectWork;
  readonly turn: Turn;
  readonly exchange?: {
    readonly prepared: Prepared;
    readonly sent: SendResult;
    /** From the start of the name lookup to the last byte read. */
    readonly ms: number;
  };
}

/** The same without polling by itself. */
export function createDispatcher(
  deps: DispatchDeps,
): Omit<Dispatcher, 'sweep'> & { poll(isSweep?: boolean): Promise<number> } {
  const recorder = createRecorder(deps);
  const turns = new ClaimScheduler();
  const pools = new SlotPools();
  const projects = new Map<string, ProjectWork>();
  /** Projects with deliveries to send for which the pools had no slot, longest waiting first. */
  const blocked = new Set<ProjectWork>();
  /** Queues that were due at the last poll, by project that is not urgent. */
  const due = new Map<string, DueQueue[]>();
  /** Projects with new deliveries that are not urgent, or with more of them than were leased. */
  const asked = new Set<string>();
  const open = new OpenWork(deps.onFailure);
  /** On a distributed store: projects with deliveries. */
  const known = new DueProjects();
  /** Abandoned queues that are being emptied. */
  const clearing = new Set<string>();
  let attempts = 0;
  let isStopping = false;

  function workOf(projectId: string): ProjectWork {
    const project = projects.get(projectId) ?? new ProjectWork(projectId, pools);
    projects.delete(projectId);
    projects.set(projectId, project);
    return project;
  }

  function want(projectId: string, of: ClaimClass): void {
    turns.add(projectId, of);
    takeTurns();
  }

  function wantOthers(projectId: string): void {
    asked.add(projectId);
    want(projectId, 'other');
  }

  function takeTurns(): void {
    for (let turn = turns.next(); turn && !isStopping; turn = turns.next()) {
      const ofThis = turn;
      open.start(async () => {
        const startedMs = performance.now();
        try {
          await claim(workOf(ofThis.projectId), ofThis.of);
          const restMs = restAfterClaim(ofThis.of, performance.now() - startedMs);
          if (restMs > 0) await delay(restMs);
        } finally {
          turns.end(ofThis);
          takeTurns();
        }
      });
    }
  }

  /** On a distributed store, where no poll finds what is left of this project's deliveries. */
  function lookSoon(projectId: string): void {
    if (deps.database.isDistributed()) known.note(projectId, deps.clock.nowMs() + POLL_MS);
  }

  async function claim(project: ProjectWork, of: ClaimClass): Promise<void> {
    if (of === 'other') {
      const isAsked = asked.delete(project.projectId);
      const queues = due.get(project.projectId) ?? [];
      due.delete(project.projectId);
      // Others may have taken the room since the poll.
      if (!isAsked && !queues.some((queue) => project.hasRoomFor(queue))) return;
    }
    lookSoon(project.projectId);
    const offered = project.room(of);
    if (!offered) return;
    project.take(await claimTasks(deps, project.projectId, offered), offered);
    if (isStopping) await putBack(project.projectId, project.takeBack());
    else pump(project);
  }

  /** Sends what has a slot; returns the count. */
  function pump(project: ProjectWork): number {
    if (isStopping) return 0;
    if (project.isStale && project.isWaiting) {
      refresh(project);
      return 0;
    }
    const turns: Turn[] = [];
    for (;;) {
      const turn = project.next();
      if (turn === 'full') blocked.add(project);
      if (turn === 'full' || turn === undefined) break;
      turns.push(turn);
    }
    send(project, turns);
    return turns.length;
  }

  /** A delivery that waited for a slot goes to the endpoint as it is by then. */
  function refresh(project: ProjectWork): void {
    if (project.isReading) return;
    project.isReading = true;
    open.start(async () => {
      try {
        project.know(await findEndpoints(deps.database.reads, project.projectId));
      } finally {
        project.isReading = false;
      }
      pump(project);
    });
  }

  function send(project: ProjectWork, turns: readonly Turn[]): void {
    const signed = turns.flatMap((turn) => {
      open.begin();
      const prepared = prepare(project, turn);
      return prepared ? [{ turn, prepared }] : [];
    });
    for (const { turn, prepared } of signed) post(project, turn, prepared);
  }

  /** Undefined for a delivery that is not sent now; it then gives up its slot. */
  function prepare(project: ProjectWork, turn: Turn): Prepared | undefined {
    const { task, endpoint: work } = turn;
    const skip = (tasks: readonly Task[]) => {
      open.start(async () => {
        await putBack(project.projectId, tasks).catch(deps.onFailure);
        onEnd({ project, turn });
      });
      return undefined;
    };
    const endpoint = project.endpointOf(task.delivery.queueId);
    // Disabled while it waited: it is due again once the endpoint is enabled.
    if (!endpoint) return skip([task]);
    const leftMs = task.leasedUntilMs - deps.clock.nowMs();
    // More was leased than can be sent in time: another process may be faster with all of it.
    if (leftMs < LEASE_LEFT_MS) return skip([task, ...work.takeBack()]);
    try {
      return prepareAttempt(deps, endpoint, task);
    } catch (error) {
      deps.onFailure(error);
      return skip([]);
    }
  }

  function post(project: ProjectWork, turn: Turn, prepared: Prepared): void {
    const { endpoint } = turn;
    const answersBefore = endpoint.answers;
    const startedMs = performance.now();
    let isOver = false;
    const noteSilence = () => {
      if (isOver) return;
      endpoint.noteSilence(answersBefore);
      const tasks = endpoint.takeExcess();
      if (tasks.length > 0) open.start(() => putBack(project.projectId, tasks));
    };
    // After pending input was read: this process may have been delayed itself.
    const silence = setTimeout(() => setImmediate(() => setImmediate(noteSilence)), SLOW_MS);
    deps.sender.send(prepared.request).then((sent) => {
      clearTimeout(silence);
      isOver = true;
      onEnd({ project, turn, exchange: { prepared, sent, ms: performance.now() - startedMs } });
    });
  }

  const onEnd = handleTogether((ended: readonly Ended[]) => {
    const finished = ended.map(finish);
    giveSlotsBack(ended);
    for (const [index, { project, turn }] of ended.entries()) {
      goOn(project, turn);
      const one = finished[index];
      const free = () => {
        turn.endpoint.free(turn.kind);
        goOn(project, turn);
        forgetSome();
        open.end();
      };
      if (one) {
        recorder
          .record(project.projectId, one, turn.endpoint.isAnswering)
          .catch(deps.onFailure)
          .finally(free);
      } else free();
    }
  });

  function finish({ project, turn, exchange }: Ended): Finished | undefined {
    let finished: Finished | undefined;
    try {
      finished = exchange && finishAttempt(deps, exchange.prepared, turn.task, exchange.sent);
      if (finished) attempts += 1;
      else if (exchange) open.start(() => putBack(project.projectId, [turn.task]));
    } catch (error) {
      deps.onFailure(error);
    }
    turn.endpoint.endSending(
      turn.kind,
      exchange && finished ? exchangeOf(finished, exchange.ms) : null,
    );
    return finished;
  }

  function giveSlotsBack(ended: readonly Ended[]): void {
    for (const project of new Set(ended.map(({ project }) => project))) pump(project);
    let slots = ended.length;
    for (const other of [...blocked]) {
      blocked.delete(other);
      if (pump(other) > 0) slots -= 1;
      if (slots === 0) return;
    }
  }

  /**
   * Endpoints that do not answer continue without the poll only while there is plenty for all;
   * otherwise the poll assigns turns.
   */
  function goOn({ projectId }: ProjectWork, { endpoint, kind }: Turn): void {
    if (isStopping || !endpoint.hasMore(kind) || endpoint.room(kind) === 0) return;
    const { isAnswering } = endpoint;
    if (isAnswering) want(projectId, 'urgent');
    else if (pools.hasPlentyForSlow) wantOthers(projectId);
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

  function forgetSome(): void {
    if (projects.size <= PROJECTS_KEPT) return;
    for (const [projectId, project] of projects) {
      if (!project.isIdle || turns.isBusyWith(projectId)) continue;
      projects.delete(projectId);
      if (projects.size <= PROJECTS_KEPT) return;
    }
  }

  async function poll(isSweep = true): Promise<number> {
    const nowMs = deps.clock.nowMs();
    const times = dueTimesAt(nowMs);
    const { reads } = deps.database;
    const isDistributed = deps.database.isDistributed();
    const queued = isSweep && isDistributed ? await listProjectsQueued(reads) : [];
    for (const projectId of queued) known.note(projectId, nowMs);
    if (!isDistributed || queued.length > 0) await pullBack(times.now);
    const queues = isDistributed ? await lookAtKnown(nowMs) : await listDueQueues(reads, times);
    // On a distributed store the others were not looked at.
    if (isDistributed) for (const { projectId } of queues) due.delete(projectId);
    else due.clear();
    for (const queue of queues.toSorted((a, b) => lastLeased(a) - lastLeased(b))) {
      const { projectId, queueId, isAbandoned } = queue;
      if (!isAbandoned) consider(queue);
      else if (!clearing.has(queueId)) open.start(() => clear(projectId, queueId));
    }
    return queues.length;
  }

  /** The due queues of the projects that are known to have deliveries. */
  async function lookAtKnown(nowMs: number): Promise<DueQueue[]> {
    const limit = createLimit(LOOKS_MAX);
    const look = async (projectId: string) => {
      const queues = await listQueuesOf(deps.database.reads, projectId, dueTimesAt(nowMs));
      const due = queues.filter((one) => one.isAbandoned || one.hasFresh || one.hasRetries);
      const nextMs = queues.flatMap(({ nextAt }) => (nextAt === null ? [] : [toMs(nextAt)]));
      if (due.length > 0) known.note(projectId, nowMs + POLL_MS);
      // What another process has leased and left is found by the sweep.
      else if (nextMs.length > 0) known.note(projectId, Math.min(...nextMs));
      return due;
    };
    const looks = known.take(nowMs).map((projectId) =>
      limit(() => look(projectId)).catch((error: unknown) => {
        // Its node may be down: the others must not wait for it.
        known.note(projectId, nowMs + LOOK_AGAIN_MS);
        deps.onFailure(error);
        return [];
      }),
    );
    return (await Promise.all(looks)).flat();
  }

  /** Puts the queue that has waited longest for a turn first. */
  function lastLeased({ projectId, queueId }: DueQueue): number {
    return projects.get(projectId)?.lastLeasedOf(queueId) ?? 0;
  }

  function consider(queue: DueQueue): void {
    const { projectId, queueId } = queue;
    const project = projects.get(projectId);
    if (project && !project.hasRoomFor(queue)) return;
    const isUrgent = project?.isAnswering(queueId) ?? false;
    if (!isUrgent) due.set(projectId, [...(due.get(projectId) ?? []), queue]);
    want(projectId, isUrgent ? 'urgent' : 'other');
  }

  /** Makes deliveries due that were postponed while the clock was far ahead. */
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
      if (isStopping) return;
      lookSoon(projectId);
      const project = projects.get(projectId);
      // Not on every call if no known endpoint has room.
      project?.expectMore();
      if (!project || project.isStale || project.hasRoomForFresh('urgent'))
        want(projectId, 'urgent');
      if (project?.hasRoomForFresh('other')) wantOthers(projectId);
    },
    async runOnce() {
      const before = attempts;
      while ((await poll()) > 0) await open.settle();
      return attempts - before;
    },
    async stop() {
      isStopping = true;
      turns.clear();
      for (const project of projects.values()) {
        open.start(() => putBack(project.projectId, project.takeBack()));
      }
      await open.settle();
    },
  };
}

function exchangeOf({ result: { attempt, outcome } }: Finished, ms: number): Exchange {
  if (outcome.outcome === 'succeeded') return { ms, result: 'succeeded' };
  const isAnswered = attempt.responseStatus !== null;
  return { ms, result: isAnswered ? 'refused' : 'unanswered' };
}
