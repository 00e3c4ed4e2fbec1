import { writeCsv } from '../../ui/save-text.ts';

export interface BulkFailure {
  readonly id: string;
  readonly reason: string;
}

export interface BulkProgress {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly BulkFailure[];
  /** Those that nobody tried, because it was stopped. */
  readonly untried: readonly string[];
  readonly state: 'running' | 'stopped' | 'finished';
}

interface BulkOptions {
  readonly ids: readonly string[];
  readonly work: (id: string) => Promise<unknown>;
  readonly onProgress: (progress: BulkProgress) => void;
  /** Whatever has begun is finished; nothing more is begun. */
  readonly signal: AbortSignal;
  readonly concurrency?: number;
}

/** Does the same to many, a few at a time, each by itself: what fails does not stop the others. */
export async function runBulk(options: BulkOptions): Promise<BulkProgress> {
  const { ids, work, onProgress, signal, concurrency = 4 } = options;
  const failures: BulkFailure[] = [];
  let done = 0;
  let next = 0;
  const progress = (state: BulkProgress['state']): BulkProgress => ({
    total: ids.length,
    done,
    failures: [...failures],
    untried: ids.slice(next),
    state,
  });
  const worker = async () => {
    while (!signal.aborted) {
      const id = ids[next];
      if (id === undefined) return;
      next += 1;
      try {
        await work(id);
        done += 1;
      } catch (error) {
        failures.push({ id, reason: error instanceof Error ? error.message : String(error) });
      }
      onProgress(progress('running'));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, ids.length) }, worker));
  const end = progress(next < ids.length ? 'stopped' : 'finished');
  onProgress(end);
  return end;
}

/** What failed and what was not tried, to keep or to send on. */
export function reportCsv({ failures, untried }: BulkProgress): string {
  const lines = [
    ...failures.map(({ id, reason }) => [id, 'failed', reason]),
    ...untried.map((id) => [id, 'not tried', '']),
  ];
  return writeCsv([['id', 'outcome', 'reason'], ...lines]);
}
