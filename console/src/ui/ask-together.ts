interface Waiting<T> {
  readonly resolve: (found: T | null) => void;
  readonly reject: (error: unknown) => void;
}

export interface Together {
  /** The most ids of one call. */
  readonly most: number;
  /** How long the first id waits for others. */
  readonly waitMs: number;
}

/** Rejects when the signal aborts: an id that nobody waits for any more is not in the call. */
export type Ask<T> = (id: string, signal?: AbortSignal) => Promise<T | null>;

/**
 * Answers for one id at a time, with one call for all that are asked for within a moment. Null for an id that the call
 * does not answer. An id that is asked for twice is in the call once.
 */
export function askTogether<T>(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  { most, waitMs }: Together,
): Ask<T> {
  let waiting = new Map<string, Waiting<T>[]>();
  const send = async (asked: ReadonlyMap<string, readonly Waiting<T>[]>) => {
    try {
      const found = await load([...asked.keys()]);
      for (const [id, all] of asked) for (const one of all) one.resolve(found.get(id) ?? null);
    } catch (error) {
      for (const all of asked.values()) for (const one of all) one.reject(error);
    }
  };
  let isTimed = false;
  const flush = () => {
    const entries = [...waiting];
    waiting = new Map();
    isTimed = false;
    for (let at = 0; at < entries.length; at += most) {
      void send(new Map(entries.slice(at, at + most)));
    }
  };
  const leave = (id: string, one: Waiting<T>) => {
    const others = (waiting.get(id) ?? []).filter((other) => other !== one);
    if (others.length > 0) waiting.set(id, others);
    else waiting.delete(id);
  };
  return (id, signal) =>
    new Promise((resolve, reject) => {
      const one = { resolve, reject };
      if (!isTimed) setTimeout(flush, waitMs);
      isTimed = true;
      waiting.set(id, [...(waiting.get(id) ?? []), one]);
      signal?.addEventListener('abort', () => {
        leave(id, one);
        reject(signal.reason);
      });
    });
}
