import { type Answer, answerOf, api } from '../../api/client.ts';
import { indexNames, neededBefore, type PlannedRow, slicesOf } from './plan-import.ts';

export type RowResult = Answer<'/v1/imports/rows', 'post'>['data']['results'][number];

export interface RowOutcome extends PlannedRow {
  readonly result: RowResult;
}

interface ImportJob {
  readonly projectId: string;
  readonly programId: string;
  readonly dryRun: boolean;
  readonly rows: readonly PlannedRow[];
  /** Told after each slice: everything that is known so far. */
  readonly onProgress: (outcomes: readonly RowOutcome[]) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends the rows slice by slice. When a call fails, what went before is done, and sending the file
 * once more does no harm: rows that are there already are answered as unchanged.
 */
export async function runImport(job: ImportJob): Promise<readonly RowOutcome[]> {
  const { projectId, programId, dryRun, rows, onProgress, signal } = job;
  const outcomes: RowOutcome[] = [];
  const byName = indexNames(rows);
  for (const slice of slicesOf(rows)) {
    if (signal.aborted) break;
    const before = dryRun ? neededBefore(byName, slice) : [];
    const { data } = await answerOf(
      api.POST('/v1/imports/rows', {
        body: { projectId, programId, dryRun, rows: [...before, ...slice.map(({ row }) => row)] },
      }),
    );
    data.results.slice(before.length).forEach((result, index) => {
      outcomes.push({ ...(slice[index] ?? { line: 0, row: {} }), result });
    });
    onProgress([...outcomes]);
  }
  return outcomes;
}
