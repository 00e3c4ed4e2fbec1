import { dayOf, lastQuarter } from './quarters.ts';
import type { Backtest } from './queries.ts';

/** What the fields of a back-test say: days in UTC, and a file or nothing. */
export interface BacktestText {
  readonly from: string;
  readonly to: string;
  readonly definition: string;
}

/** A new one, at this time of the project. */
export const beginWith = (now: string): BacktestText => ({ ...lastQuarter(now), definition: '' });

/** What an earlier one was asked. */
export function beginFrom({
  from,
  to,
  definition,
}: Pick<Backtest, 'from' | 'to' | 'definition'>): BacktestText {
  return { from: dayOf(from), to: dayOf(to), definition: toText(definition) };
}

/** A definition that was sent as an object is shown as JSON, which is YAML as well. */
function toText(definition: unknown): string {
  if (definition === null || definition === undefined) return '';
  return typeof definition === 'string' ? definition : JSON.stringify(definition, null, 2);
}
