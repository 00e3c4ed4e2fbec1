import { type Answer, answerOf, api } from '../../api/client.ts';
import { indexNames, neededBefore, type PlannedRow, slicesOf } from './plan-import.ts';
import { toSentRow } from './starting-cells.ts';

export type RowResult = Answer<'/v1/imports/rows', 'post'>['data']['results'][number];

export interface RowOutcome extends PlannedRow {
  readonly result: RowResult;
}

interface ImportJob {
  readonly projectId: string;
  readonly programId: string;
  readonly dryRun: boolean;
  readonly rows: readonly PlannedRow[];
  /** Called after each slice with all outcomes so far. */
  readonly onProgress: (outcomes: readonly RowOutcome[]) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends the rows slice by slice. If a call fails, the earlier slices are done, and sending the file
 * again does no harm: existing rows are reported as unchanged.
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
        body: {
          projectId,
          programId,
          dryRun,
          rows: [...before, ...slice.map(({ row }) => toSentRow(row))],
        },
      }),
    );
    data.results.slice(before.length).forEach((result, index) => {
      outcomes.push({ ...(slice[index] ?? { line: 0, row: {} }), result });
    });
    onProgress([...outcomes]);
  }
  return outcomes;
}
