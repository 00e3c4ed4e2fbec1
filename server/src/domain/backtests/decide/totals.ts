import type { Instant } from '../../../platform/kit/instant.ts';
import type { Line, LineDifference } from './reward-value.ts';

/** What was given and what would have been given, by what it is grouped by. */
export type Sums = Map<string, { readonly kind: Line['kind']; readonly code: string } & Pair>;
interface Pair {
  actual: bigint;
  proposed: bigint;
}

type Amount = Pick<Line, 'kind' | 'code'>;

/** The sums of a back-test, collected line by line. */
export class Totals {
  readonly all: Sums = new Map();
  readonly byRule = new Map<string, Sums>();
  readonly byBeneficiary = new Map<string, Sums>();
  readonly byDay = new Map<string, Sums>();

  /** The amounts are changes: a line that became less adds a negative one. */
  add(occurredAt: Instant, line: LineDifference): void {
    addTo(this.all, line);
    addTo(sumsOf(this.byRule, line.ruleId), line);
    addTo(sumsOf(this.byBeneficiary, line.beneficiaryId), line);
    addTo(sumsOf(this.byDay, occurredAt.slice(0, 10)), line);
  }
}

function sumsOf(groups: Map<string, Sums>, key: string): Sums {
  const known = groups.get(key) ?? new Map();
  groups.set(key, known);
  return known;
}

function addTo(sums: Sums, { kind, code, actual, proposed }: Amount & Pair): void {
  const key = `${kind}\n${code}`;
  const known = sums.get(key) ?? { kind, code, actual: 0n, proposed: 0n };
  known.actual += actual;
  known.proposed += proposed;
  sums.set(key, known);
}
