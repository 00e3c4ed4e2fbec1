import { formatRate } from '../../ui/format-rate.ts';
import { formatMinor } from '../../ui/money.tsx';
import {
  milestoneWords,
  type PinnedMilestone,
  type PinnedStep,
  stepWords,
} from './measured-words.ts';

export interface Calculation {
  readonly base: string | null;
  readonly rateBps: number | null;
  readonly rounding: string | null;
  readonly result: string;
}

/** The terms that a rule was judged by, as far as the arithmetic needs them. */
export interface ArithmeticTerms {
  readonly benefitKind: string;
  readonly currency: string | null;
  readonly currencyExponent: number | null;
  readonly unit: { readonly name: string; readonly namePlural: string } | null;
  readonly maxRewardsPerBeneficiary: number | null;
}

/** What decided the size of a benefit that grows, or that it was earned. */
export interface Grown {
  readonly tier: PinnedStep | null;
  readonly milestone: PinnedMilestone | null;
  readonly eventType: string;
}

interface Currency {
  readonly currency: string;
  readonly currencyExponent: number;
}

export interface Step {
  readonly label: string;
  readonly value: string;
}

const ROUNDING: Readonly<Record<string, string>> = {
  half_up: 'to the nearest, halves up',
  half_even: 'to the nearest, halves to even',
  down: 'down',
  up: 'up',
};

/**
 * How an amount was calculated, step by step and exactly: base × rate, the rounding, the result,
 * and the limit that was applied. `paidIn` is the purchase's currency, for shares of it.
 */
export function arithmeticSteps(
  calculation: Calculation,
  terms: ArithmeticTerms | null,
  paidIn: Currency | null,
  grown: Grown | null = null,
): Step[] {
  const { base, rateBps, rounding, result } = calculation;
  const steps = grownSteps(grown, terms?.currency ?? null);
  if (base !== null && rateBps !== null) {
    const show = (minor: string) => (paidIn ? money(minor, paidIn) : minor);
    steps.push({ label: 'Purchase, without tax', value: show(base) });
    steps.push({ label: `× ${formatRate(rateBps)}`, value: exactProduct(base, rateBps, paidIn) });
    if (!isWhole(base, rateBps)) {
      steps.push({ label: `Rounded ${ROUNDING[rounding ?? ''] ?? rounding}`, value: show(result) });
    }
    steps.push({ label: 'Reward', value: show(result) });
  } else {
    steps.push({ label: 'Fixed by the terms', value: fixedBenefit(calculation, terms) });
  }
  const cap = terms?.maxRewardsPerBeneficiary ?? null;
  if (cap !== null) {
    steps.push({ label: 'Limit', value: `at most ${cap} per person, not reached before this one` });
  }
  return steps;
}

function grownSteps(grown: Grown | null, currency: string | null): Step[] {
  const { tier = null, milestone = null, eventType = null } = grown ?? {};
  return [
    ...(tier ? [{ label: 'Counted', value: stepWords(tier, currency, eventType) }] : []),
    ...(milestone ? [{ label: 'Milestone', value: milestoneWords(milestone, currency) }] : []),
  ];
}

function fixedBenefit({ rateBps, result }: Calculation, terms: ArithmeticTerms | null): string {
  if (!terms) return result;
  const { benefitKind, currency, currencyExponent, unit } = terms;
  if (benefitKind === 'discount' && rateBps !== null) return `${formatRate(rateBps)} off`;
  if (unit) return `${result} ${result === '1' ? unit.name : unit.namePlural}`;
  return currency !== null && currencyExponent !== null
    ? money(result, { currency, currencyExponent })
    : result;
}

const money = (minor: string, { currency, currencyExponent }: Currency) =>
  formatMinor(minor, currency, currencyExponent);

const isWhole = (base: string, rateBps: number) =>
  (BigInt(base) * BigInt(rateBps)) % 10_000n === 0n;

/** Before rounding, with every digit: an amount in 1/10,000 of the minor unit. */
function exactProduct(base: string, rateBps: number, paidIn: Currency | null): string {
  const exponent = (paidIn?.currencyExponent ?? 0) + 4;
  const digits = String(BigInt(base) * BigInt(rateBps)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, -exponent);
  const decimals = digits
    .slice(-exponent)
    .replace(/0+$/, '')
    .padEnd(paidIn?.currencyExponent ?? 0, '0');
  if (!paidIn) return decimals === '' ? whole : `${whole}.${decimals}`;
  return formatMinor(whole + decimals, paidIn.currency, decimals.length);
}
