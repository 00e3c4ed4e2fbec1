import type { Instant } from '../../platform/kit/instant.ts';
import type { DeliveryChoice } from './delivery-methods.ts';
import type { RiskPolicyVersion } from './policies/risk-policy.ts';
import { effectiveStatus, type ProgramKind, type ProgramStatus } from './program-status.ts';
import type { Terms } from './rules/decide-terms.ts';
import type { AttributionPolicy, BenefitRule, RewardTerms } from './schema.ts';

/** The complete configuration of a Project's Programs, by which facts are judged. */
export interface ProgramBook {
  readonly programs: ReadonlyMap<string, BookedProgram>;
}

export interface BookedProgram extends ProgramActivity {
  readonly id: string;
  readonly kind: ProgramKind;
  /** By ascending version. */
  readonly policies: readonly AttributionPolicy[];
  /** By ascending version; none before somebody chooses. */
  readonly riskPolicies: readonly RiskPolicyVersion[];
  readonly rules: readonly BookedRule[];
  /** The first day from which the measures of windows are counted; null if no terms have needed them. */
  readonly daysFrom: string | null;
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

export interface Unit {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly namePlural: string;
}

/** A published version; immutable. */
export interface TermsVersion extends Terms {
  readonly id: string;
  readonly projectId: string;
  readonly ruleId: string;
  readonly programId: string;
  readonly version: number;
  readonly beneficiaryRole: RewardTerms['beneficiaryRole'];
  readonly unit: Unit | null;
  readonly author: string;
  readonly publishedAt: Instant;
}

/** A status, valid from `startsAt` (inclusive) to `endsAt` (exclusive). */
export interface StatusInterval {
  readonly status: ProgramStatus;
  readonly startsAt: Instant;
  readonly endsAt: Instant | null;
}

/** The history of a Program's status, so that a late fact is judged by its own time. */
export interface ProgramActivity {
  readonly intervals: readonly StatusInterval[];
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
}

/** Undefined before the Program existed. */
export function statusAt(
  { intervals, endDate }: ProgramActivity,
  at: Instant,
): ProgramStatus | undefined {
  for (const { status, startsAt, endsAt } of intervals) {
    if (startsAt <= at && (endsAt === null || at < endsAt)) {
      return effectiveStatus({ status, endDate }, at);
    }
  }
  return undefined;
}

export function isActiveAt(activity: ProgramActivity, at: Instant): boolean {
  const hasStarted = activity.startDate === null || activity.startDate <= at;
  return hasStarted && statusAt(activity, at) === 'active';
}

/** The longest attribution window, in days, of the Programs that are active at `now`; 0 if there are none. */
export function longestWindow({ programs }: ProgramBook, now: Instant): number {
  const windows = [...programs.values()].map((program) =>
    isActiveAt(program, now) ? (versionAt(program.policies, now)?.windowDays ?? 0) : 0,
  );
  return Math.max(0, ...windows);
}
