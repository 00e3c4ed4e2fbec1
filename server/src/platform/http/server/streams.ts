import { unavailable } from '../../kit/errors.ts';
import type { ProjectRef } from '../access/principal.ts';

export interface StreamLimits {
  /** Maximum number of open streams in this process. */
  readonly streamsMax: number;
  /** Maximum of these for one Project. */
  readonly projectStreamsMax: number;
}

/** A stream that is open. */
export interface Place {
  /** Aborted when the stream must end. */
  readonly stopping: AbortSignal;
  /** Makes it end. */
  stop(): void;
  /** Must be called once its connection is closed. */
  leave(): void;
}

/** The open streams of this process: limited in number, and all ended when it stops. */
export class Streams {
  readonly #limits: StreamLimits;
  readonly #countByProject = new Map<string, number>();
  /** Those that count, newest last. */
  readonly #placesByWorkspace = new Map<string, Set<Place>>();
  #counted = 0;
  readonly #open = new Map<Place, Promise<void>>();
  #isStopping = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  count(): number {
    return this.#open.size;
  }

  /**
   * Fails with SERVICE_UNAVAILABLE if there is no place left. One Workspace may have all places
   * while no other needs them; then the newest of its streams is ended. While the service stops, a
   * stream ends as soon as it begins: its reader reconnects, behind a load balancer to another
   * process.
   */
  enter({ id: projectId, workspaceId }: Pick<ProjectRef, 'id' | 'workspaceId'>): Place {
    const count = this.#countByProject.get(projectId) ?? 0;
    if (count >= this.#limits.projectStreamsMax) {
      throw unavailable('Too many streams of this project are open.', 'overloaded');
    }
    if (this.#counted >= this.#limits.streamsMax && !this.#makePlaceFor(workspaceId)) {
      throw unavailable('Too many streams are open.', 'overloaded');
    }
    const controller = new AbortController();
    if (this.#isStopping) controller.abort();
    let left = () => {};
    const places = this.#placesByWorkspace.get(workspaceId) ?? new Set();
    /** It no longer counts from the moment it is stopped. */
    const release = () => {
      if (!places.delete(place)) return;
      this.#counted -= 1;
      if (places.size === 0) this.#placesByWorkspace.delete(workspaceId);
      const others = (this.#countByProject.get(projectId) ?? 0) - 1;
      if (others > 0) this.#countByProject.set(projectId, others);
      else this.#countByProject.delete(projectId);
    };
    const place: Place = {
      stopping: controller.signal,
      stop: () => {
        release();
        controller.abort();
      },
      leave: () => {
        release();
        this.#open.delete(place);
        left();
      },
    };
    this.#placesByWorkspace.set(workspaceId, places.add(place));
    this.#counted += 1;
    this.#countByProject.set(projectId, count + 1);
    this.#open.set(
      place,
      new Promise((resolve) => {
        left = resolve;
      }),
    );
    return place;
  }

  /** Ends one of the Workspace with the most, if that one then still has at least as many as this one. */
  #makePlaceFor(workspaceId: string): boolean {
    const own = this.#placesByWorkspace.get(workspaceId)?.size ?? 0;
    const [most] = [...this.#placesByWorkspace.values()].sort(
      (one, other) => other.size - one.size,
    );
    if (!most || most.size <= own + 1) return false;
    [...most].at(-1)?.stop();
    return true;
  }

  /** Ends all of them, and any new one. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const place of this.#open.keys()) place.stop();
    await Promise.all(this.#open.values());
  }
}
