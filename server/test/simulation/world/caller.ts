import type { VirtualTime } from '../authority/virtual-time.ts';
import {
  type Answer,
  type Call,
  ConnectionLost,
  type ServiceProcess,
} from '../process/service-process.ts';
import type { Sightings } from './sightings.ts';

const PATIENCE_MS = 20_000;
const RETRY_MS = 200;
const RETRY_MAX_MS = 5_000;

/** A backend that retries the same call until it has an answer, at whatever process it reaches. */
export class Caller {
  readonly #time: VirtualTime;
  readonly #processes: readonly ServiceProcess[];
  readonly #random: (max: number) => number;
  /** Answers that no service may give, with the call. */
  readonly faults: string[] = [];
  readonly #sightings: Sightings;

  constructor(
    time: VirtualTime,
    processes: readonly ServiceProcess[],
    random: (max: number) => number,
    sightings: Sightings,
  ) {
    this.#time = time;
    this.#processes = processes;
    this.#random = random;
    this.#sightings = sightings;
  }

  /** Waits for an answer as long as the process lives that has the call: no attempt is left that may be processed later. */
  callPatiently(made: Call): Promise<Answer> {
    return this.call(made, Number.POSITIVE_INFINITY);
  }

  /** A call that must not be the same each time is made anew. */
  async call(made: Call | (() => Call), patienceMs = PATIENCE_MS): Promise<Answer> {
    for (let waitMs = RETRY_MS; ; waitMs = Math.min(2 * waitMs, RETRY_MAX_MS)) {
      const call = typeof made === 'function' ? made() : made;
      const answer = await this.#tryOnce(call, patienceMs);
      if (answer) {
        const name =
          `${answer.status} ${answer.body?.error?.reason ?? answer.body?.error?.code ?? ''}`.trim();
        this.#sightings.see(name);
        this.#time.note(
          `${call.method} ${call.path} answered ${name} ${answer.body?.error?.message ?? ''}`,
        );
        if (answer.status === 500) this.faults.push(`${call.method} ${call.path} answered 500`);
        // A world that only makes invalid calls would find nothing.
        if (answer.body?.error?.code === 'INVALID_REQUEST')
          this.faults.push(`${call.method} ${call.path}: ${answer.body.error.message}`);
        if (answer.status < 500) return answer;
      }
      await this.#time.sleep(waitMs + this.#random(RETRY_MS));
    }
  }

  async #tryOnce(call: Call, patienceMs: number): Promise<Answer | null> {
    const up = this.#processes.filter(({ isUp }) => isUp);
    const process = up[this.#random(Math.max(1, up.length))];
    if (!process) return null;
    const work = process.call(call).catch((error) => {
      if (!(error instanceof ConnectionLost)) throw error;
      this.#sightings.see('a call was lost in a crash');
      return null;
    });
    if (patienceMs === Number.POSITIVE_INFINITY) return work;
    return Promise.race([work, this.#time.sleep(patienceMs).then(() => null)]);
  }
}
