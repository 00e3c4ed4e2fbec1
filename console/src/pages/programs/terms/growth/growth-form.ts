import { exponentOf, fromMinor, toMinor } from '../../../../ui/currencies.ts';
import type { Rule, TermsVersion } from '../../queries.ts';
import { amountFault, rateBpsOf, rateFault, wholeFault, wholeNumber } from '../typed-numbers.ts';

export type Tiers = NonNullable<TermsVersion['tiers']>;
export type Milestone = NonNullable<TermsVersion['milestone']>;
export type TierStep = Tiers['steps'][number];
export type Measure = Tiers['measure'];

/** The field of a step that a benefit's size is in. */
export type SizeField = 'rateBps' | 'fixedAmountMinor' | 'quantity';

export interface StepText {
  readonly from: string;
  readonly size: string;
}

/** How a benefit grows, as typed. Revenue is in major units. */
export interface GrowthText {
  readonly growth: 'none' | 'steps' | 'milestone';
  readonly measure: Measure;
  readonly window: Tiers['window'];
  readonly steps: readonly StepText[];
  readonly at: string;
  readonly repeat: boolean;
}

export const STEPS_MIN = 2;
export const STEPS_MAX = 20;

export const NO_GROWTH: GrowthText = {
  growth: 'none',
  measure: 'referrals',
  window: 'all_time',
  steps: [],
  at: '10',
  repeat: false,
};

/** Only a referrer makes referrals. A milestone is reached by an event that its measure changes with. */
export function measuresOf(
  { beneficiaryRole, eventType }: Pick<Rule, 'beneficiaryRole' | 'eventType'>,
  isMilestone: boolean,
): readonly Measure[] {
  const ofSignups = beneficiaryRole === 'referrer' ? (['referrals'] as const) : [];
  const ofPurchases = ['purchases', 'revenue'] as const;
  if (!isMilestone) return [...ofSignups, ...ofPurchases];
  if (eventType === 'signup') return ofSignups;
  return eventType === 'purchase' ? ofPurchases : [];
}

/** How the numbers of a form are read. */
export interface Scale {
  readonly measure: Measure;
  readonly sizeField: SizeField;
  readonly currency: string;
}

type Grown = Pick<TermsVersion, 'tiers' | 'milestone' | 'currencyExponent'>;

/** The growth of the terms in force, to be edited. */
export function toGrowthText({ tiers, milestone, currencyExponent }: Grown): GrowthText {
  const exponent = currencyExponent ?? 0;
  const count = (measure: Measure, value: string) =>
    measure === 'revenue' && value !== '0' ? fromMinor(value, exponent) : value;
  if (tiers) {
    const { measure, window, steps } = tiers;
    const texts = steps.map((step) => ({
      from: count(measure, step.from),
      size: sizeText(step, exponent),
    }));
    return { ...NO_GROWTH, growth: 'steps', measure, window, steps: texts };
  }
  if (!milestone) return NO_GROWTH;
  const { measure, at, repeat } = milestone;
  return { ...NO_GROWTH, growth: 'milestone', measure, at: count(measure, at), repeat };
}

function sizeText({ rateBps, fixedAmountMinor, quantity }: TierStep, exponent: number): string {
  if (rateBps !== null) return String(rateBps / 100);
  if (fixedAmountMinor !== null) return fromMinor(fixedAmountMinor, exponent);
  return quantity === null ? '' : String(quantity);
}

/** The steps to begin with: the size so far, and a larger one. */
export function startSteps(size: string, sizeField: SizeField): readonly StepText[] {
  const number = Number(size.replace(',', '.'));
  const larger = sizeField === 'rateBps' ? Math.min(100, number + 5) : number * 2;
  return [
    { from: '0', size },
    { from: '5', size: Number.isFinite(larger) ? String(larger) : '' },
  ];
}

/** A value of the measure, as sent; null if it is none. */
function readCount(text: string, { measure, currency }: Scale): string | null {
  if (measure === 'revenue') {
    const exponent = exponentOf(currency);
    return exponent === undefined ? null : toMinor(text, exponent);
  }
  return /^\d{1,15}$/.test(text.trim()) ? String(BigInt(text.trim())) : null;
}

/** The steps as far as they can be read. */
export function readSteps(steps: readonly StepText[], scale: Scale): readonly TierStep[] {
  return steps.flatMap(({ from, size }) => {
    const read = readCount(from, scale);
    return read === null ? [] : [{ from: read, ...readSize(size, scale) }];
  });
}

function readSize(size: string, { sizeField, currency }: Scale): Omit<TierStep, 'from'> {
  const exponent = exponentOf(currency);
  return {
    rateBps: sizeField === 'rateBps' ? rateBpsOf(size) : null,
    fixedAmountMinor:
      sizeField === 'fixedAmountMinor' && exponent !== undefined ? toMinor(size, exponent) : null,
    quantity: sizeField === 'quantity' ? wholeNumber(size) : null,
  };
}

/** The milestone; null if its number cannot be read. */
export function readMilestone({ at, repeat }: GrowthText, scale: Scale): Milestone | null {
  const read = readCount(at, scale);
  return read === null ? null : { measure: scale.measure, at: read, repeat };
}

export type GrowthErrors = Partial<Record<'at' | `steps.${number}.${'from' | 'size'}`, string>>;

/** What the service would refuse. */
export function checkGrowth(form: GrowthText, scale: Scale): GrowthErrors {
  const errors: GrowthErrors = {};
  if (form.growth === 'milestone') {
    const at = readCount(form.at, scale);
    if (at === null) errors.at = countWords(scale);
    else if (at === '0') errors.at = 'More than 0';
  }
  if (form.growth !== 'steps') return errors;
  let before: string | null = null;
  for (const [index, { from, size }] of form.steps.entries()) {
    const read = readCount(from, scale);
    if (read === null) errors[`steps.${index}.from`] = countWords(scale);
    else if (index === 0 && read !== '0') errors['steps.0.from'] = 'The first step begins at 0';
    else if (before !== null && BigInt(read) <= BigInt(before)) {
      errors[`steps.${index}.from`] = 'More than in the step before';
    }
    before = read ?? before;
    const fault = sizeFault(size, scale);
    if (fault) errors[`steps.${index}.size`] = fault;
  }
  return errors;
}

function countWords({ measure, currency }: Scale): string {
  const exponent = measure === 'revenue' ? (exponentOf(currency) ?? 0) : 0;
  return exponent === 0 ? 'A whole number' : `A number with at most ${exponent} decimals`;
}

function sizeFault(size: string, { sizeField, currency }: Scale): string | undefined {
  if (sizeField === 'rateBps') return rateFault(size);
  if (sizeField === 'quantity') return wholeFault(size, 1, 1_000_000);
  return amountFault(size, currency, exponentOf(currency) ?? 2);
}
