import { formatRate } from '../../../ui/format-rate.ts';
import { countOf } from '../../../ui/words.ts';
import { sayMinor } from './amount.tsx';
import type { BacktestResult, Difference } from './queries.ts';

type Line = Pick<Difference['lines'][number], 'kind' | 'code'>;

/** Names of the custom units that a back-test gave, by their ids. */
export function unitNames(byRule: BacktestResult['byRule']): ReadonlyMap<string, string> {
  return new Map(byRule.flatMap(({ units }) => units.map(({ unitId, name }) => [unitId, name])));
}

/** An amount of a line: money with its currency, a quantity with its unit, or a number of discounts. */
export function sayLine(
  { kind, code }: Line,
  amount: string,
  nameOfUnit: ReadonlyMap<string, string>,
): string {
  if (kind === 'money') return sayMinor(amount, code);
  if (kind === 'discount') return countOf(Number(amount), 'discount');
  return `${amount} ${nameOfUnit.get(code) ?? 'units'}`;
}

type Calculation = Pick<
  NonNullable<NonNullable<Difference['actual']>['explanation']['rules'][number]['calculation']>,
  'base' | 'rateBps' | 'result'
>;

/** How a rule came to what it gave, in the currency or unit of its line: `10% of $100.00, $10.00`. */
export function sayCalculation(
  { base, rateBps, result }: Calculation,
  line: Line,
  nameOfUnit: ReadonlyMap<string, string>,
): string {
  if (line.kind === 'discount') return rateBps === null ? result : `${formatRate(rateBps)} off`;
  const given = sayLine(line, result, nameOfUnit);
  if (line.kind === 'unit' || base === null || rateBps === null) return given;
  return `${formatRate(rateBps)} of ${sayLine(line, base, nameOfUnit)}, ${given}`;
}
