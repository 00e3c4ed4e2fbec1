import type { ManyProgress } from './run-many.ts';
import { writeCsv } from './save-text.ts';

/** The failed and untried ones, to save or to forward. */
export function reportCsv({ failures, untried }: ManyProgress<string>): string {
  const lines = [
    ...failures.map(({ item, reason }) => [item, 'failed', reason]),
    ...untried.map((id) => [id, 'not tried', '']),
  ];
  return writeCsv([['id', 'outcome', 'reason'], ...lines]);
}
