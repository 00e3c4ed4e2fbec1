import { takeBatch, type Waiting } from './queue.ts';

/** Transactions that run at once. What arrives meanwhile shares the next one. */
const AT_ONCE = 2;
/** Whoever waits longer gets one more, up to so many: a slow Project does not hold up all others. */
const PATIENCE_MS = 250;
const AT_ONCE_MAX = 8;
/** Projects that share a transaction. */
const PROJECTS_MAX = 50;
/** A Project with more waiting commands has its own transactions. */
const FEW = 4;

/** Whether all that waits for a Project may share a transaction with others. */
export function isShareable(queue: readonly Waiting[]): boolean {
  return (
    queue.length <= FEW && queue.every(({ handler }) => handler.isShared && handler.repeatable)
  );
}

interface Sharer {
  readonly queue: Waiting[];
  readonly since: number;
  resume(): void;
}

/** Projects with few commands, which wait for a transaction that they share. */
export class Sharing {
  #waiting: Sharer[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #run: (batches: Waiting[][]) => Promise<void>;

  /** `run` writes and answers batches, each of another Project. It never fails. */
  constructor(run: (batches: Waiting[][]) => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when a batch of this queue is answered. */
  join(queue: Waiting[]): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.push({ queue, since: performance.now(), resume });
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < this.#limit()) {
      const sharers = this.#waiting.splice(0, PROJECTS_MAX);
      this.#running += 1;
      this.#run(sharers.map(({ queue }) => takeBatch(queue))).finally(() => {
        this.#running -= 1;
        for (const { resume } of sharers) resume();
        this.#start();
      });
    }
    if (this.#waiting.length === 0 || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#start();
    }, PATIENCE_MS);
  }

  #limit(): number {
    const waited = performance.now() - (this.#waiting[0]?.since ?? 0);
    return waited < PATIENCE_MS ? AT_ONCE : AT_ONCE_MAX;
  }
}
