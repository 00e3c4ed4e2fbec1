import { setTimeout as delay } from 'node:timers/promises';

export interface Worker {
  /** Looks for work now, without waiting for the next poll. */
  poke(): void;
  /** Does due work; returns how much there was. */
  runOnce(): Promise<number>;
  /** Resolves once the current work is done. */
  stop(): Promise<void>;
}

/** Observer of a worker. */
export interface Watch {
  readonly onFailure: (error: unknown) => void;
  /** Called at the end of every run that did not throw, even if there was nothing to do. */
  readonly onRun?: (() => void) | undefined;
}

export interface WorkerOptions extends Watch {
  /** Does a portion of due work and returns how much; ends early when `stopping` is aborted. */
  readonly runOnce: (stopping: AbortSignal) => Promise<number>;
  /** The first wait when nothing was due; each further one is twice as long, up to the maximum. */
  readonly pollMs: number;
  readonly pollMaxMs: number;
}

const SWEEP_MS = 300_000;

/** The waits of a worker that asks all Projects: on a distributed store that asks every shard. */
export function waitsFor(
  database: { isDistributed(): boolean },
  waits: Pick<WorkerOptions, 'pollMs' | 'pollMaxMs'>,
  sweepMs = SWEEP_MS,
): Pick<WorkerOptions, 'pollMs' | 'pollMaxMs'> {
  return database.isDistributed() ? { pollMs: sweepMs, pollMaxMs: sweepMs } : waits;
}

/** Does due work continuously: at once while there is some, else polling with back-off. */
export function startWorker(options: WorkerOptions): Worker {
  const stopping = new AbortController();
  const runOnce = () => options.runOnce(stopping.signal);
  let waiting = new AbortController();
  let isPoked = false;

  async function loop(): Promise<void> {
    let waitMs = options.pollMs;
    while (!stopping.signal.aborted) {
      isPoked = false;
      let done = 0;
      try {
        done = await runOnce();
        options.onRun?.();
      } catch (error) {
        options.onFailure(error);
      }
      if (done > 0) waitMs = options.pollMs;
      if (done > 0 || isPoked) continue;
      await rest(waitMs);
      waitMs = isPoked ? options.pollMs : Math.min(2 * waitMs, options.pollMaxMs);
    }
  }

  async function rest(ms: number): Promise<void> {
    if (stopping.signal.aborted) return;
    waiting = new AbortController();
    await delay(ms, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  }

  const running = loop();
  return {
    poke() {
      isPoked = true;
      waiting.abort();
    },
    runOnce,
    async stop() {
      stopping.abort();
      waiting.abort();
      await running;
    },
  };
}
