import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import type { Issue } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { parseMinor } from '../../../platform/kit/money.ts';
import type { BenefitRule, TermsIn } from '../schema.ts';
import type {
  BenefitKind,
  Calculation,
  DurationMode,
  RefundPolicy,
  RoundingPolicy,
} from './benefit-words.ts';
import { type Condition, decideConditions } from './conditions.ts';
import {
  checkTiers,
  type Measure,
  type Milestone,
  measureFault,
  readMilestone,
  readTiers,
  type SizeField,
  sizeFieldOf,
  type Tiers,
} from './measures.ts';
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
  /** All must hold. */
  readonly conditions: readonly Condition[] | null;
  /** Steps that replace the size of the benefit. */
  readonly tiers: Tiers | null;
  /** Set if and only if `calculation` is `milestone`. */
  readonly milestone: Milestone | null;
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
  cash: { fixed: FIXED_MONEY, percentage: PERCENTAGE, milestone: FIXED_MONEY },
  credit: { fixed: FIXED_MONEY, percentage: PERCENTAGE, milestone: FIXED_MONEY },
  discount: { percentage: PERCENTAGE, milestone: PERCENTAGE },
  custom: { fixed: CUSTOM, milestone: CUSTOM },
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

/** The parts of a rule that its terms depend on. */
export type RuleOfTerms = Pick<BenefitRule, 'eventType' | 'beneficiaryRole' | 'purpose'>;

/** Completes requested terms and adds every problem to `issues`; if there are any, ignore the result. */
export function decideTerms(
  input: TermsIn,
  rule: RuleOfTerms,
  now: Instant,
  issues: Issue[],
): Terms {
  const { benefitKind } = input;
  const { eventType } = rule;
  const calculation = input.calculation ?? (benefitKind === 'discount' ? 'percentage' : 'fixed');
  const add = (field: string, issue: string) => issues.push({ path: `terms.${field}`, issue });
  const currency = input.currency?.toUpperCase() ?? null;
  const sizeField = sizeFieldOf(benefitKind, calculation);
  checkShape(input, calculation, sizeField, add);
  if (benefitKind !== 'discount' && calculation === 'percentage' && eventType !== 'purchase') {
    add('calculation', 'can be percentage only for purchases; other events have no amount');
  }
  checkMoney(input, currency, add);
  checkMeasures(input, calculation, rule, add);
  const durationMode = input.durationMode ?? 'once';
  checkDuration(input, durationMode, eventType, add);
  const conditions = decideConditions(input.conditions ?? [], eventType, (path, issue) =>
    add(`conditions.${path}`, issue),
  );
  if (isPresent(input.tiers)) {
    checkTiers(input.tiers, sizeField, (path, issue) => add(`tiers.${path}`, issue));
  }
  const tiers = isPresent(input.tiers) ? readTiers(input.tiers) : null;
  // Clients that do not know tiers show the first step.
  const first = tiers?.steps[0] ?? null;
  return {
    benefitKind,
    calculation,
    fixedAmountMinor: parseMinor(input.fixedAmountMinor ?? '') ?? first?.fixedAmountMinor ?? null,
    currency,
    currencyExponent: input.currencyExponent ?? CURRENCY_EXPONENTS.get(currency ?? '') ?? null,
    rateBps: input.rateBps ?? first?.rateBps ?? null,
    durationMode,
    durationMonths: input.durationMonths ?? null,
    quantity: input.quantity ?? first?.quantity ?? null,
    validityDays: input.validityDays ?? null,
    maxRewardsPerBeneficiary: input.maxRewardsPerBeneficiary ?? null,
    conditions: conditions.length === 0 ? null : conditions,
    tiers,
    milestone: isPresent(input.milestone) ? readMilestone(input.milestone) : null,
    roundingPolicy: input.roundingPolicy ?? 'half_up',
    refundPolicy: input.refundPolicy ?? 'proportional',
    enabled: input.enabled ?? true,
    effectiveAt: decideEffectiveAt(input.effectiveAt, now, 'terms.effectiveAt', issues),
    changeNote: input.changeNote ?? null,
  };
}

type Add = (field: string, issue: string) => void;

function checkShape(
  input: TermsIn,
  calculation: Calculation,
  sizeField: SizeField,
  add: Add,
): void {
  const { benefitKind } = input;
  const shape = SHAPES[benefitKind][calculation];
  if (!shape) {
    const others = Object.keys(SHAPES[benefitKind]);
    add('calculation', `must be ${others.join(' or ')} for a ${benefitKind} benefit`);
    return;
  }
  const isInSteps = (field: Field) => field === sizeField && isPresent(input.tiers);
  for (const field of FIELDS) {
    const isGiven = isPresent(input[field]);
    if (shape.required.includes(field) || isRevenueField(input, field)) {
      // Of the currency of revenue, the exponent is known.
      const isKnown = field === 'currencyExponent' && !shape.required.includes(field);
      if (!isGiven && !isKnown && !isInSteps(field)) add(field, 'is required');
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

/** Revenue is measured in one currency, which the terms name. */
function isRevenueField({ tiers, milestone }: TermsIn, field: Field): boolean {
  const isOfMoney = field === 'currency' || field === 'currencyExponent';
  return isOfMoney && (tiers?.measure === 'revenue' || milestone?.measure === 'revenue');
}

function checkMeasures(
  { tiers, milestone }: TermsIn,
  calculation: Calculation,
  { beneficiaryRole, purpose, eventType }: RuleOfTerms,
  add: Add,
): void {
  const isMilestone = calculation === 'milestone';
  if (isMilestone && purpose !== 'bonus') {
    add('calculation', 'can be milestone only for a rule whose purpose is bonus');
  }
  if (isMilestone && !isPresent(milestone)) add('milestone', 'is required');
  if (!isMilestone && isPresent(milestone)) {
    add('milestone', 'is allowed only with calculation milestone');
  }
  if (isMilestone && isPresent(tiers)) add('tiers', 'cannot be combined with a milestone');
  const judge = (field: 'tiers' | 'milestone', measure: Measure | undefined) => {
    const fault = measure && measureFault(measure, beneficiaryRole);
    if (fault) add(`${field}.measure`, fault);
  };
  judge('tiers', tiers?.measure);
  judge('milestone', milestone?.measure);
  const changes = milestone?.measure === 'referrals' ? 'signup' : 'purchase';
  if (milestone && eventType !== changes) {
    add(
      'milestone.measure',
      `changes with each ${changes}, and this rule is for each ${eventType}`,
    );
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
  if (
    input.calculation === 'milestone' &&
    input.benefitKind !== 'discount' &&
    durationMode !== 'once'
  ) {
    add('durationMode', 'must be once: a milestone repeats by its own field');
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
