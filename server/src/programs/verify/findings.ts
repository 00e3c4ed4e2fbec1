import type { Comparison } from '../../outbound/reconciliation/compare.ts';
import { canonicalJson } from '../../platform/kit/canonical-json.ts';

/** A stored value that differs from the expected one. Values are text, for people to read. */
export interface Difference {
  /** The kind of object, such as `reward`, and its id. */
  readonly subject: string;
  readonly id: string;
  readonly field: string;
  readonly stored: string;
  readonly expected: string;
}

export interface Finding extends Difference {
  readonly projectId: string;
}

export function difference(
  [subject, id]: readonly [subject: string, id: string],
  field: string,
  stored: unknown,
  expected: unknown,
): Difference {
  return { subject, id, field, stored: show(stored), expected: show(expected) };
}

/** A difference for each field of `expected` with another stored value. */
export function differencesOf<E extends object>(
  subject: string,
  id: string,
  stored: Readonly<Record<keyof E, unknown>>,
  expected: E,
): Difference[] {
  return (Object.keys(expected) as (keyof E & string)[]).flatMap((field) =>
    show(stored[field]) === show(expected[field])
      ? []
      : [difference([subject, id], field, stored[field], expected[field])],
  );
}

function show(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}

/** How many findings of one project are listed; a broken store could have any number. */
export const FINDINGS_MAX = 1_000;

/** The findings in one project. */
export class Findings {
  readonly kept: Finding[] = [];
  /** The count of all, including those that were not kept. */
  total = 0;
  readonly #projectId: string;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  add(differences: readonly Difference[]): void {
    for (const one of differences) {
      this.total += 1;
      if (this.kept.length < FINDINGS_MAX) this.kept.push({ projectId: this.#projectId, ...one });
    }
  }
}

/** Where the providers' records differ from the store. Unanswered items count as equal. */
export function describeDrift(drift: readonly Comparison[]): Difference[] {
  return drift.flatMap(({ subject, id, method, believed, reported, verdict }) =>
    verdict === 'differs'
      ? [difference([subject, id], `delivered by ${method}`, believed, reported)]
      : [],
  );
}
