import { createHash } from 'node:crypto';
import { currentOwner, runAs } from './current.ts';
import { rest } from './rest.ts';

/** Whose code runs: a simulated process, or the world itself. A stopped owner's timers never fire. */
export interface Owner {
  readonly name: string;
  state: 'running' | 'frozen' | 'dead';
}

interface Timer {
  readonly id: number;
  readonly owner: Owner;
  readonly run: () => void;
  dueMs: number;
  /** Of timers due at the same time, in which order they run. */
  readonly rank: number;
  readonly everyMs: number | null;
}

interface Jump {
  readonly atMs: number;
  readonly ms: number;
}

/** Ends a simulation whose timers never let time pass. */
const STEPS_IN_ONE_MS = 200_000;
/** Ends one that never comes to its end. */
const STEPS_MAX = 300_000;

/** Texts that are noted again and again, such as statements. */
const shortened = new Map<string, string>();

/** The digest needs no more than what tells texts from each other. */
function shorten(text: string): string {
  if (text.length < 200) return text;
  const known = shortened.get(text) ?? createHash('sha1').update(text).digest('base64');
  shortened.set(text, known);
  return known;
}

/**
 * The only clock and the only timers of a simulation. Nothing waits: when all that can run has run, time jumps to the
 * next timer. Timers that are due together run in an order that the seed decides.
 */
export class VirtualTime {
  readonly #world: Owner = { name: 'world', state: 'running' };
  readonly #timers = new Map<number, Timer>();
  readonly #random: (max: number) => number;
  readonly #record: ((note: string) => void) | undefined;
  readonly #notes = createHash('sha1');
  #ms: number;
  readonly #jumps: Jump[] = [];
  #lastId = 0;
  #steps = 0;
  #allSteps = 0;

  /** `record` is given every note, to find the first difference of two runs. */
  constructor(
    startMs: number,
    random: (max: number) => number,
    record?: ((note: string) => void) | undefined,
  ) {
    this.#ms = startMs;
    this.#random = random;
    this.#record = record;
  }

  get nowMs(): number {
    return this.#ms;
  }

  get owner(): Owner {
    return currentOwner() ?? this.#world;
  }

  /** Notes what happens now: some text, and what it was used with. */
  note(text: string, ...used: readonly unknown[]): void {
    const begin = `${this.#ms} ${this.owner.name}: `;
    this.#notes.update(`${begin}${shorten(text)} ${used}\n`);
    this.#record?.(`${begin}${text} ${used}\n`);
  }

  /** Of all notes in their order: the same for every run of a world. */
  get digest(): string {
    return this.#notes.copy().digest('hex');
  }

  /** Everything that `work` starts, now or later, belongs to this owner. */
  as<T>(owner: Owner, work: () => T): T {
    return runAs(owner, work);
  }

  addTimer(run: () => void, delayMs: number, everyMs: number | null = null): number {
    const id = ++this.#lastId;
    const dueMs = this.#ms + Math.max(0, Number.isFinite(delayMs) ? delayMs : 0);
    this.#timers.set(id, {
      id,
      owner: this.owner,
      run,
      dueMs,
      rank: this.#random(2 ** 30),
      everyMs,
    });
    return id;
  }

  removeTimer(id: number): void {
    this.#timers.delete(id);
  }

  dropTimersOf(owner: Owner): void {
    for (const [id, timer] of this.#timers) if (timer.owner === owner) this.#timers.delete(id);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.addTimer(resolve, ms));
  }

  /** Everybody sleeps so long, as if all machines had been suspended: what came due meanwhile comes late. */
  jump(ms: number): void {
    this.#jumps.push({ atMs: this.#ms, ms });
    this.#ms += ms;
  }

  get jumps(): readonly Jump[] {
    return this.#jumps;
  }

  /** How long machines were awake until then, from some time on. */
  awakeAt(ms: number): number {
    const before = this.#jumps.filter(({ atMs }) => atMs < ms);
    return ms - before.reduce((sum, jump) => sum + jump.ms, 0);
  }

  /** Runs until `work` has ended, or time is over. */
  async runUntil(work: Promise<unknown>, limitMs = Number.POSITIVE_INFINITY): Promise<void> {
    let isDone = false;
    let failure: unknown;
    work.then(
      () => {
        isDone = true;
      },
      (error) => {
        isDone = true;
        failure = error;
      },
    );
    for (;;) {
      await rest();
      if (isDone) break;
      const next = this.#next();
      if (next === undefined)
        throw new Error('Nothing will ever happen again: the simulation is stuck.');
      if (next.dueMs > limitMs) throw new Error('The time of this simulation is over.');
      this.#step(next);
    }
    if (failure !== undefined) throw failure;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers.values()) {
      if (timer.owner.state === 'frozen') continue;
      if (
        !first ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.rank < first.rank)
      )
        first = timer;
    }
    return first;
  }

  #step(timer: Timer): void {
    // A frozen owner wakes up late.
    if (timer.dueMs > this.#ms) {
      this.#ms = timer.dueMs;
      this.#steps = 0;
    }
    this.#steps += 1;
    this.#allSteps += 1;
    if (this.#allSteps > STEPS_MAX)
      throw new Error('Time goes on for ever: something is waited for that does not happen.');
    if (this.#steps > STEPS_IN_ONE_MS)
      throw new Error('Time stands still: timers of no delay go on for ever.');
    if (timer.everyMs === null) this.#timers.delete(timer.id);
    else timer.dueMs = this.#ms + Math.max(1, timer.everyMs);
    if (timer.owner.state === 'dead') return;
    runAs(timer.owner, () => {
      this.note(`timer ${timer.id}`);
      timer.run();
    });
  }
}
