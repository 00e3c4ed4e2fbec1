import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import type { Issue } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { parseMinor } from '../../../platform/kit/money.ts';
import type { TermsIn } from '../schema.ts';
import type {
  BenefitKind,
  Calculation,
  DurationMode,
  RefundPolicy,
  RoundingPolicy,
} from './benefit-words.ts';
import { decideEffectiveAt } from './versions.ts';

/** What a rule gives, complete and consistent; the unit of a custom benefit is stored separately. */
export interface Terms {
  readonly benefitKind: BenefitKind;
  readonly calculation: Calculation;
  readonly fixedAmountMinor: bigint | null;
  readonly currency: string | null;
  readonly currencyExponent: number | null;
  readonly rateBps: number | null;
  readonly durationMode: DurationMode;
  readonly durationMonths: number | null;
  readonly quantity: number | null;
  readonly validityDays: number | null;
  readonly maxRewardsPerBeneficiary: number | null;
  readonly roundingPolicy: RoundingPolicy;
  readonly refundPolicy: RefundPolicy;
  readonly enabled: boolean;
  readonly effectiveAt: Instant;
  readonly changeNote: string | null;
}

type Field =
  | 'fixedAmountMinor'
  | 'currency'
  | 'currencyExponent'
  | 'rateBps'
  | 'unit'
  | 'customUnitId'
  | 'quantity'
  | 'validityDays';

/** The fields of the amount, and which benefits have them. A percentage of money has the purchase's currency. */
interface Shape {
  readonly required: readonly Field[];
  readonly optional: readonly Field[];
}
const FIXED_MONEY: Shape = {
  required: ['fixedAmountMinor', 'currency', 'currencyExponent'],
  optional: [],
};
const PERCENTAGE: Shape = { required: ['rateBps'], optional: [] };
const CUSTOM: Shape = {
  required: ['quantity'],
  optional: ['unit', 'customUnitId', 'validityDays'],
};
const SHAPES: Readonly<Record<BenefitKind, Partial<Record<Calculation, Shape>>>> = {
  cash: { fixed: FIXED_MONEY, percentage: PERCENTAGE },
  credit: { fixed: FIXED_MONEY, percentage: PERCENTAGE },
  discount: { percentage: PERCENTAGE },
  custom: { fixed: CUSTOM },
};
const FIELDS: readonly Field[] = [
  'fixedAmountMinor',
  'currency',
  'currencyExponent',
  'rateBps',
  'unit',
  'customUnitId',
  'quantity',
  'validityDays',
];

/** Completes requested terms and adds every problem to `issues`; if there are any, ignore the result. */
export function decideTerms(
  input: TermsIn,
  eventType: string,
  now: Instant,
  issues: Issue[],
): Terms {
  const { benefitKind } = input;
  const calculation = input.calculation ?? (benefitKind === 'discount' ? 'percentage' : 'fixed');
  const add = (field: string, issue: string) => issues.push({ path: `terms.${field}`, issue });
  checkShape(input, calculation, add);
  if (benefitKind !== 'discount' && calculation === 'percentage' && eventType !== 'purchase') {
    add('calculation', 'can be percentage only for purchases; other events have no amount');
  }
  const currency = input.currency?.toUpperCase() ?? null;
  checkMoney(input, currency, add);
  const durationMode = input.durationMode ?? 'once';
  checkDuration(input, durationMode, eventType, add);
  return {
    benefitKind,
    calculation,
    fixedAmountMinor: parseMinor(input.fixedAmountMinor ?? '') ?? null,
    currency,
    currencyExponent: input.currencyExponent ?? null,
    rateBps: input.rateBps ?? null,
    durationMode,
    durationMonths: input.durationMonths ?? null,
    quantity: input.quantity ?? null,
    validityDays: input.validityDays ?? null,
    maxRewardsPerBeneficiary: input.maxRewardsPerBeneficiary ?? null,
    roundingPolicy: input.roundingPolicy ?? 'half_up',
    refundPolicy: input.refundPolicy ?? 'proportional',
    enabled: input.enabled ?? true,
    effectiveAt: decideEffectiveAt(input.effectiveAt, now, 'terms.effectiveAt', issues),
    changeNote: input.changeNote ?? null,
  };
}

type Add = (field: string, issue: string) => void;

function checkShape(input: TermsIn, calculation: Calculation, add: Add): void {
  const { benefitKind } = input;
  const shape = SHAPES[benefitKind][calculation];
  if (!shape) {
    const other = calculation === 'fixed' ? 'percentage' : 'fixed';
    add('calculation', `must be ${other} for a ${benefitKind} benefit`);
    return;
  }
  for (const field of FIELDS) {
    const isGiven = isPresent(input[field]);
    if (shape.required.includes(field)) {
      if (!isGiven) add(field, 'is required');
    } else if (isGiven && !shape.optional.includes(field)) {
      add(field, `is not allowed for a ${calculation} ${benefitKind} benefit`);
    }
  }
  if (shape !== CUSTOM) return;
  if (!isPresent(input.unit) && !isPresent(input.customUnitId)) add('unit', 'is required');
  if (isPresent(input.unit) && isPresent(input.customUnitId)) {
    add('customUnitId', 'cannot be combined with unit');
  }
}

function checkMoney(input: TermsIn, currency: string | null, add: Add): void {
  if (isPresent(input.fixedAmountMinor) && !parseMinor(input.fixedAmountMinor)) {
    add('fixedAmountMinor', 'must be a whole number of minor units above 0');
  }
  if (currency === null) return;
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) {
    add('currency', 'must be an ISO 4217 currency that has a minor unit');
  } else if (isPresent(input.currencyExponent) && input.currencyExponent !== exponent) {
    add('currencyExponent', `must be ${exponent} for ${currency}`);
  }
}

function checkDuration(
  input: TermsIn,
  durationMode: DurationMode,
  eventType: string,
  add: Add,
): void {
  // For a discount the duration is its own lifetime; for others, how long the rule keeps earning.
  if (eventType === 'signup' && input.benefitKind !== 'discount' && durationMode !== 'once') {
    add('durationMode', 'must be once, because a person signs up only once');
  }
  if (durationMode === 'months' && !isPresent(input.durationMonths)) {
    add('durationMonths', 'is required');
  }
  if (durationMode !== 'months' && isPresent(input.durationMonths)) {
    add('durationMonths', 'is allowed only with durationMode months');
  }
}

function isPresent<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
