import type { TermsVersion } from '../../programs/program-book.ts';
import type { Measure, MeasureWindow, Step } from '../../programs/rules/measures.ts';
import { type Measured, stepAt } from './measured-benefit.ts';

/** A beneficiary's numbers in a rule: the measure of its tiers or milestone, and what was earned. */
export interface Standing extends Measured {
  /** Milestones that were ever earned, and those of them that are lost and may be regained. */
  readonly taken: number;
  readonly lost: number;
  /** What those had to reach that are above the measure and not lost: they were granted before it fell, or voided. */
  readonly earnedAbove: readonly bigint[];
  /** Rewards that count for the cap. */
  readonly given: number;
}

/** The size of a benefit. Only the field that the benefit needs is set. */
interface SizeText {
  readonly rateBps: number | null;
  readonly fixedAmountMinor: string | null;
  readonly quantity: number | null;
}

/** Where a beneficiary is in terms that grow. Amounts and values of a measure are decimal text. */
export interface Progress {
  readonly ruleId: string;
  /** The measures of a referee are of their own purchases. */
  readonly role: TermsVersion['beneficiaryRole'];
  readonly type: 'tiers' | 'milestone';
  readonly measure: Measure;
  readonly window: MeasureWindow;
  readonly benefitKind: TermsVersion['benefitKind'];
  /** Of revenue, and of a fixed amount. */
  readonly currency: string | null;
  readonly currencyExponent: number | null;
  readonly unitName: string | null;
  readonly unitNamePlural: string | null;
  readonly value: string;
  /** The current step, or the last milestone reached; null before the first milestone. */
  readonly current:
    | (SizeText & {
        /** Where the step begins, or what the milestone had to reach. */
        readonly at: string;
        /** Milestones reached; null for a step. */
        readonly reached: number | null;
      })
    | null;
  /** The next step or milestone; null if there is none. */
  readonly next: (SizeText & { readonly at: string; readonly missing: string }) | null;
}

type GrowingTerms = Pick<
  TermsVersion,
  | 'ruleId'
  | 'beneficiaryRole'
  | 'benefitKind'
  | 'currency'
  | 'currencyExponent'
  | 'unit'
  | 'rateBps'
  | 'fixedAmountMinor'
  | 'quantity'
  | 'tiers'
  | 'milestone'
  | 'maxRewardsPerBeneficiary'
>;

/** What terms measure; null if they do not grow. */
export function measureOf({
  tiers,
  milestone,
}: Pick<TermsVersion, 'tiers' | 'milestone'>): Pick<Progress, 'measure' | 'window'> | null {
  if (tiers) return { measure: tiers.measure, window: tiers.window };
  return milestone && { measure: milestone.measure, window: 'all_time' };
}

/** Null for terms that do not grow. */
export function decideProgress(terms: GrowingTerms, standing: Standing): Progress | null {
  const measured = measureOf(terms);
  if (!measured) return null;
  const { ruleId, beneficiaryRole: role, benefitKind, currency, currencyExponent, unit } = terms;
  // Beyond the cap nothing more is earned, whatever the measure.
  const isCapped = standing.given >= (terms.maxRewardsPerBeneficiary ?? Number.POSITIVE_INFINITY);
  const { current, next } = decideSteps(terms, standing);
  return {
    ruleId,
    role,
    type: terms.tiers ? 'tiers' : 'milestone',
    ...measured,
    benefitKind,
    currency,
    currencyExponent,
    unitName: unit?.name ?? null,
    unitNamePlural: unit?.namePlural ?? null,
    value: String(standing.value),
    current,
    next: isCapped ? null : next,
  };
}

function decideSteps(
  terms: GrowingTerms,
  { value, carried, taken, lost, earnedAbove }: Standing,
): Pick<Progress, 'current' | 'next'> {
  const { tiers, milestone } = terms;
  if (tiers) {
    const step = stepAt(tiers, value);
    const next = tiers.steps.find(({ from }) => from > value);
    return {
      current: { at: String(step.from), reached: null, ...sizeOf(step) },
      next: next ? nextAt(next.from, value, next) : null,
    };
  }
  if (!milestone) return { current: null, next: null };
  const { at, repeat } = milestone;
  // What an import carried over has reached its milestones elsewhere.
  const elsewhere = repeat ? Number(carried / at) : Number(carried >= at);
  const here = Math.max(0, taken - lost);
  const reached = repeat ? elsewhere + here : Math.max(elsewhere, here);
  // What was granted stays, also above the measure; what it passed before the terms was not earned.
  const standing = new Set(earnedAbove);
  let next = (value / at + 1n) * at;
  while (standing.has(next)) next += at;
  const last = standing.size > 0 ? next - at : (value / at) * at;
  const isDone = !repeat && (value >= at || standing.has(at));
  const hasCurrent = reached > 0 && (repeat || isDone);
  return {
    current: !hasCurrent ? null : { at: String(repeat ? last : at), reached, ...sizeOf(terms) },
    next: isDone ? null : nextAt(next, value, terms),
  };
}

function nextAt(
  at: bigint,
  value: bigint,
  size: Parameters<typeof sizeOf>[0],
): NonNullable<Progress['next']> {
  return { at: String(at), missing: String(at - value), ...sizeOf(size) };
}

function sizeOf({ rateBps, fixedAmountMinor, quantity }: Omit<Step, 'from'>): SizeText {
  const amount = fixedAmountMinor === null ? null : String(fixedAmountMinor);
  return { rateBps, fixedAmountMinor: amount, quantity };
}
