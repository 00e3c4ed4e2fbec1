import { unavailable } from '../kit/errors.ts';

export interface StreamLimits {
  /** Streams that may be open in this process. */
  readonly streamsMax: number;
  /** Of these, so many of one Project. */
  readonly projectStreamsMax: number;
}

/** A stream that is open. */
export interface Place {
  /** Aborted when the stream has to end. */
  readonly stopping: AbortSignal;
  /** Makes it end. */
  stop(): void;
  /** To be called once its connection is closed. */
  leave(): void;
}

/** The streams that are open in this process: so many at most, and all ended when it stops. */
export class Streams {
  readonly #limits: StreamLimits;
  readonly #countByProject = new Map<string, number>();
  readonly #open = new Map<Place, Promise<void>>();
  #isStopping = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  count(): number {
    return this.#open.size;
  }

  /**
   * Ends with SERVICE_UNAVAILABLE if there is no place left. While the service stops, a stream has to
   * end as soon as it begins: its reader connects again, and behind a load balancer to another process.
   */
  enter(projectId: string): Place {
    const count = this.#countByProject.get(projectId) ?? 0;
    if (count >= this.#limits.projectStreamsMax) {
      throw unavailable('Too many streams of this project are open.', 'overloaded');
    }
    if (this.#open.size >= this.#limits.streamsMax) {
      throw unavailable('Too many streams are open.', 'overloaded');
    }
    const controller = new AbortController();
    if (this.#isStopping) controller.abort();
    let left = () => {};
    const place = {
      stopping: controller.signal,
      stop: () => controller.abort(),
      leave: () => {
        this.#open.delete(place);
        const others = (this.#countByProject.get(projectId) ?? 0) - 1;
        if (others > 0) this.#countByProject.set(projectId, others);
        else this.#countByProject.delete(projectId);
        left();
      },
    };
    this.#countByProject.set(projectId, count + 1);
    this.#open.set(
      place,
      new Promise((resolve) => {
        left = resolve;
      }),
    );
    return place;
  }

  /** Ends all of them, and any other that begins. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const place of this.#open.keys()) place.stop();
    await Promise.all(this.#open.values());
  }
}
