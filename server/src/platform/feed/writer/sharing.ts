import { takeBatch, type Waiting } from './queue.ts';

/** Transactions that run at once. What arrives meanwhile shares the next one. */
const AT_ONCE = 2;
/** One that takes longer does not count any more: a slow Project does not hold up all others. */
const SLOW_MS = 250;
/** Projects that share a transaction, and commands of each. A Project with more waiting commands has its own. */
const PROJECTS_MAX = 50;
const COMMANDS_MAX = 4;

/** Whether all that waits for a Project may share a transaction with others. */
export function isShareable(queue: readonly Waiting[]): boolean {
  return (
    queue.length <= COMMANDS_MAX &&
    queue.every(({ handler }) => handler.isShared && handler.repeatable)
  );
}

interface Sharer {
  readonly queue: Waiting[];
  resume(): void;
}

/**
 * Writes and answers batches, each of another Project. Resolves when those that could share a transaction are
 * answered; for each other one there is a promise of when it is. It never fails.
 */
type Run = (batches: Waiting[][]) => Promise<readonly (Promise<void> | null)[]>;

/** Projects with few commands, which wait for a transaction that they share. */
export class Sharing {
  readonly #waiting: Sharer[] = [];
  #running = 0;
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Resolves when a batch of this queue is answered. */
  join(queue: Waiting[]): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.push({ queue, resume });
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < AT_ONCE) {
      void this.#runNext(this.#waiting.splice(0, PROJECTS_MAX));
    }
  }

  async #runNext(sharers: readonly Sharer[]): Promise<void> {
    this.#running += 1;
    let isCounted = true;
    const release = () => {
      if (!isCounted) return;
      isCounted = false;
      this.#running -= 1;
      this.#start();
    };
    const timer = setTimeout(release, SLOW_MS);
    const others = await this.#run(sharers.map(({ queue }) => takeBatch(queue, COMMANDS_MAX)));
    clearTimeout(timer);
    for (const [index, { resume }] of sharers.entries()) {
      if (others[index]) void others[index].then(resume);
      else resume();
    }
    release();
  }
}
