import type { ManyProgress } from '../../ui/run-many.ts';
import { writeCsv } from '../../ui/save-text.ts';

/** What failed and what was not tried, to keep or to send on. */
export function reportCsv({ failures, untried }: ManyProgress<string>): string {
  const lines = [
    ...failures.map(({ item, reason }) => [item, 'failed', reason]),
    ...untried.map((id) => [id, 'not tried', '']),
  ];
  return writeCsv([['id', 'outcome', 'reason'], ...lines]);
}
