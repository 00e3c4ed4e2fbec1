import { ApiError } from '../api/errors.ts';

interface ManyFailure<T> {
  readonly item: T;
  readonly reason: string;
}

export interface ManyProgress<T> {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly ManyFailure<T>[];
  /** Not tried, or never received by the service, because it was stopped. */
  readonly untried: readonly T[];
  readonly state: 'running' | 'stopped' | 'finished';
  /** Why it stopped by itself. */
  readonly trouble: ApiError | null;
}

interface ManyOptions<T> {
  readonly items: readonly T[];
  readonly work: (item: T) => Promise<unknown>;
  readonly onProgress: (progress: ManyProgress<T>) => void;
  /** Running calls are completed; no more are started. */
  readonly signal: AbortSignal;
  readonly concurrency?: number;
}

/** All others would fail in the same way: the session has ended, or the service is unreachable. */
const isTrouble = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 401);

/**
 * Applies the same action to many items, a few at a time, each by itself: a failure does not stop
 * the others, unless they would fail in the same way.
 */
export async function runMany<T>(options: ManyOptions<T>): Promise<ManyProgress<T>> {
  const { items, work, onProgress, signal, concurrency = 4 } = options;
  const failures: ManyFailure<T>[] = [];
  const handedBack: T[] = [];
  let trouble: ApiError | null = null;
  let done = 0;
  let next = 0;
  const progress = (state: ManyProgress<T>['state']): ManyProgress<T> => ({
    total: items.length,
    done,
    failures: [...failures],
    untried: [...handedBack, ...items.slice(next)],
    state,
    trouble,
  });
  const worker = async () => {
    while (!signal.aborted && trouble === null && next < items.length) {
      const item = items[next] as T;
      next += 1;
      try {
        await work(item);
        done += 1;
      } catch (error) {
        if (isTrouble(error)) {
          trouble = error;
          handedBack.push(item);
        } else {
          failures.push({ item, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      onProgress(progress('running'));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  const isWhole = next >= items.length && handedBack.length === 0;
  const end = progress(isWhole ? 'finished' : 'stopped');
  onProgress(end);
  return end;
}
