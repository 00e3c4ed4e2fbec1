import type { Measure, MeasureWindow, Milestone, Tiers } from '../../programs/rules/measures.ts';

/** A measure of a beneficiary. */
export interface Measured {
  readonly value: bigint;
  /** The part of it that an import carried over. */
  readonly carried: bigint;
  /** What rejected referrals have brought, which is not part of it. */
  readonly rejected: bigint;
  /** The part of it that referrals under review have brought; counted for all time only. */
  readonly underReview: bigint;
}

/** The step that decided the size of a Reward, with what it was decided by. */
export interface PinnedStep {
  readonly measure: Measure;
  readonly window: MeasureWindow;
  /** The measure with the Event, how much of it an import carried over, and where the step begins. */
  readonly value: string;
  readonly carried: string;
  /** What rejected referrals had brought; absent if nothing. */
  readonly rejected?: string;
  readonly from: string;
}

/** The milestone that a Reward was earned for. */
export interface PinnedMilestone {
  readonly measure: Measure;
  /** The measure with the Event, how much of it an import carried over, and what it had to reach. */
  readonly value: string;
  readonly carried: string;
  /** What rejected referrals had brought; absent if nothing. */
  readonly rejected?: string;
  /** How much of it referrals under review had brought; absent if nothing. */
  readonly underReview?: string;
  readonly at: string;
  /** 1 for the first multiple. */
  readonly multiple: number;
}

/** The step in which a value of the measure is: the last that begins at or below it. */
export function stepAt({ steps }: Tiers, value: bigint): Tiers['steps'][number] {
  const step = steps.findLast(({ from }) => from <= value) ?? steps[0];
  if (!step) throw new Error('Tiers have at least one step.');
  return step;
}

/** Terms with the size of the step. Terms without tiers are their own. */
export function withStep<T extends { readonly tiers: Tiers | null }>(
  terms: T,
  found: Measured,
): { readonly terms: T; readonly step: PinnedStep | null } {
  const { tiers } = terms;
  if (!tiers) return { terms, step: null };
  const { measure, window } = tiers;
  const { value } = found;
  const { from, ...sizes } = stepAt(tiers, value);
  const given = Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== null));
  return {
    terms: { ...terms, ...given },
    step: {
      measure,
      window,
      ...pinMeasured(found),
      from: String(from),
    },
  };
}

/** One Event earns at most this many multiples. Terms that would give more are not meant to be a milestone. */
export const MULTIPLES_MAX = 1_000;

/** The multiples that an Event reaches: above the measure before it, up to the measure with it. */
export function reachMilestone(
  milestone: Milestone,
  before: bigint,
  measured: Measured,
): PinnedMilestone[] {
  const { at, repeat } = milestone;
  const { value } = measured;
  const first = before / at + 1n;
  const last = repeat ? value / at : 1n;
  if (value < at || last < first) return [];
  const length = Math.min(Number(last - first + 1n), MULTIPLES_MAX);
  return Array.from({ length }, (_, index) =>
    pinMilestone(milestone, measured, first + BigInt(index)),
  );
}

/** The next multiple that is above a value of the measure; null if there is none. */
export function nextMilestone(milestone: Milestone, measured: Measured): PinnedMilestone | null {
  const { at, repeat } = milestone;
  const { value } = measured;
  if (!repeat && value >= at) return null;
  return pinMilestone(milestone, measured, value / at + 1n);
}

/** A multiple of a milestone, with the measure that it is compared with. */
export function pinMilestone(
  { measure, at }: Milestone,
  found: Measured,
  multiple: bigint,
): PinnedMilestone {
  return {
    measure,
    ...pinMeasured(found),
    ...(found.underReview > 0n ? { underReview: String(found.underReview) } : {}),
    at: String(at * multiple),
    multiple: Number(multiple),
  };
}

function pinMeasured({ value, carried, rejected }: Measured) {
  return {
    value: String(value),
    carried: String(carried),
    ...(rejected > 0n ? { rejected: String(rejected) } : {}),
  };
}

/** What a milestone is of: milestones of other measures, or of revenue in another currency, are others. */
export function milestoneKey({ measure }: Pick<Milestone, 'measure'>, currency: string | null) {
  return measure === 'revenue' ? `revenue:${currency}` : measure;
}
