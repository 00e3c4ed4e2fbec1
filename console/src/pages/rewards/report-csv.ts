import type { ManyProgress } from '../../ui/run-many.ts';
import { writeCsv } from '../../ui/save-text.ts';

/** The failed and untried rewards, to save or to forward. */
export function reportCsv({ failures, untried }: ManyProgress<string>): string {
  const lines = [
    ...failures.map(({ item, reason }) => [item, 'failed', reason]),
    ...untried.map((id) => [id, 'not tried', '']),
  ];
  return writeCsv([['id', 'outcome', 'reason'], ...lines]);
}
