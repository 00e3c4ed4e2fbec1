import type { Instant } from '../../../platform/kit/instant.ts';
import type { DeliveryChoice } from '../delivery-methods.ts';
import type { ProgramKind } from '../program-status.ts';
import type { AttributionPolicy, BenefitRule } from '../schema.ts';
import type { TermsVersion } from '../store.ts';
import type { ProgramActivity } from './program-activity.ts';

export type { TermsVersion };

/** The complete configuration of a Project's Programs, by which facts are judged. */
export interface ProgramBook {
  readonly programs: ReadonlyMap<string, BookedProgram>;
}

export interface BookedProgram extends ProgramActivity {
  readonly id: string;
  readonly kind: ProgramKind;
  /** By ascending version. */
  readonly policies: readonly AttributionPolicy[];
  readonly rules: readonly BookedRule[];
  readonly delivery: DeliveryChoice;
}

export interface BookedRule extends BenefitRule {
  /** By ascending version. */
  readonly terms: readonly TermsVersion[];
}

/** The terms under which a Reward was earned. */
export function findTerms(
  book: ProgramBook,
  earned: { readonly programId: string; readonly ruleId: string; readonly termsVersionId: string },
): TermsVersion {
  const rule = book.programs.get(earned.programId)?.rules.find(({ id }) => id === earned.ruleId);
  const terms = rule?.terms.find(({ id }) => id === earned.termsVersionId);
  if (!terms) throw new Error(`Terms ${earned.termsVersionId} are not in the book.`);
  return terms;
}

/** The highest version in effect at that time; undefined before the first. */
export function versionAt<V extends { readonly effectiveAt: Instant }>(
  versions: readonly V[],
  at: Instant,
): V | undefined {
  return versions.findLast((version) => version.effectiveAt <= at);
}
