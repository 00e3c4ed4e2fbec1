import { parseMinor } from '../../../platform/kit/money.ts';
import type { BENEFICIARY_ROLES, BenefitKind, Calculation } from './benefit-words.ts';

/**
 * What is counted of a beneficiary in a Program: referrals that they made, purchases that were credited to
 * them (to a referrer, those of the people they referred; to others, their own) of which something is left
 * after refunds, and the sum of what is left.
 */
export const MEASURES = ['referrals', 'purchases', 'revenue'] as const;
export type Measure = (typeof MEASURES)[number];

/** `rolling_30_days` ends with the day of the Event; days and months are those of UTC. */
export const WINDOWS = ['all_time', 'calendar_month', 'rolling_30_days'] as const;
export type MeasureWindow = (typeof WINDOWS)[number];

export const STEPS_MIN = 2;
export const STEPS_MAX = 20;

/** What is given from a value of the measure on. Only the field that the benefit needs is set. */
export interface Step {
  readonly from: bigint;
  readonly rateBps: number | null;
  readonly fixedAmountMinor: bigint | null;
  readonly quantity: number | null;
}

export interface Tiers {
  readonly measure: Measure;
  readonly window: MeasureWindow;
  /** Ascending; the first is from 0. */
  readonly steps: readonly Step[];
}

export interface Milestone {
  readonly measure: Measure;
  readonly at: bigint;
  /** Earned at each multiple of `at`, not only at the first. */
  readonly repeat: boolean;
}

/** As they are sent and stored: numbers that may be large are text. */
interface StepText {
  readonly from: string;
  readonly rateBps?: number | null | undefined;
  readonly fixedAmountMinor?: string | null | undefined;
  readonly quantity?: number | null | undefined;
}
export interface TiersText {
  readonly measure: Measure;
  readonly window?: MeasureWindow | null | undefined;
  readonly steps: readonly StepText[];
}
export interface MilestoneText {
  readonly measure: Measure;
  readonly at: string;
  readonly repeat?: boolean | null | undefined;
}

/** The field of terms, and of a step, that a benefit's size is in. */
export type SizeField = 'rateBps' | 'fixedAmountMinor' | 'quantity';

export function sizeFieldOf(benefitKind: BenefitKind, calculation: Calculation): SizeField {
  if (benefitKind === 'custom') return 'quantity';
  const isShare = benefitKind === 'discount' || calculation === 'percentage';
  return isShare ? 'rateBps' : 'fixedAmountMinor';
}

export function readTiers({ measure, window, steps }: TiersText): Tiers {
  return {
    measure,
    window: window ?? 'all_time',
    steps: steps.map(({ from, rateBps, fixedAmountMinor, quantity }) => ({
      from: BigInt(from),
      rateBps: rateBps ?? null,
      fixedAmountMinor: parseMinor(fixedAmountMinor ?? '') ?? null,
      quantity: quantity ?? null,
    })),
  };
}

/** For the store and for answers. */
export function writeTiers({ measure, window, steps }: Tiers) {
  return {
    measure,
    window,
    steps: steps.map(({ from, rateBps, fixedAmountMinor, quantity }) => ({
      from: String(from),
      rateBps,
      fixedAmountMinor: fixedAmountMinor === null ? null : String(fixedAmountMinor),
      quantity,
    })),
  };
}

export function readMilestone({ measure, at, repeat }: MilestoneText): Milestone {
  return { measure, at: BigInt(at), repeat: repeat ?? false };
}

export function writeMilestone({ measure, at, repeat }: Milestone) {
  return { measure, at: String(at), repeat };
}

type Add = (path: string, issue: string) => void;

/** Adds every problem of steps by its path. */
export function checkTiers({ steps }: TiersText, field: SizeField, add: Add): void {
  steps.forEach((step, index) => {
    const at = (part: string) => `steps.${index}.${part}`;
    const before = steps[index - 1];
    if (index === 0 && step.from !== '0') add(at('from'), 'must be "0" for the first step');
    if (before && BigInt(step.from) <= BigInt(before.from)) {
      add(at('from'), `must be more than ${before.from}, where the step before it begins`);
    }
    for (const one of ['rateBps', 'fixedAmountMinor', 'quantity'] as const) {
      const isGiven = (step[one] ?? null) !== null;
      if (one === field && !isGiven) add(at(one), 'is required');
      if (one !== field && isGiven) add(at(one), `is not allowed: this benefit has ${field}`);
    }
    if (field === 'fixedAmountMinor' && step.fixedAmountMinor === '0') {
      add(at('fixedAmountMinor'), 'must be a whole number of minor units above 0');
    }
  });
}

/** Who a rule rewards decides what can be measured: only a referrer refers. */
export function measureFault(
  measure: Measure,
  role: (typeof BENEFICIARY_ROLES)[number],
): string | undefined {
  if (measure !== 'referrals' || role === 'referrer') return undefined;
  return `must be purchases or revenue for the ${role}: only a referrer makes referrals`;
}
