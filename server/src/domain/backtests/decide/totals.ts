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
    const key = `${line.kind}\n${line.code}`;
    addTo(this.all, key, line);
    addTo(sumsOf(this.byRule, line.ruleId), key, line);
    addTo(sumsOf(this.byBeneficiary, line.beneficiaryId), key, line);
    addTo(sumsOf(this.byDay, occurredAt.slice(0, 10)), key, line);
  }
}

function sumsOf(groups: Map<string, Sums>, key: string): Sums {
  let known = groups.get(key);
  if (!known) {
    known = new Map();
    groups.set(key, known);
  }
  return known;
}

function addTo(sums: Sums, key: string, { kind, code, actual, proposed }: Amount & Pair): void {
  const known = sums.get(key);
  if (!known) {
    sums.set(key, { kind, code, actual, proposed });
    return;
  }
  known.actual += actual;
  known.proposed += proposed;
}
