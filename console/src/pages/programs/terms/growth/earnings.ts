import { exponentOf } from '../../../../ui/currencies.ts';
import type { Rule } from '../../queries.ts';
import type { TermsFacts } from '../benefit-phrase.ts';
import type { Measure, TierStep } from './growth-form.ts';

/** What terms that grow would earn somebody, for more and more of what is counted. */
export interface Earnings {
  readonly measure: Measure;
  /** Values of the measure, ascending. Revenue is in minor units. */
  readonly counts: readonly bigint[];
  /** In all: minor units or a quantity. Of a discount, the rate in hundredths of a percent. */
  readonly totals: readonly bigint[];
  readonly kind: 'money' | 'units' | 'rate';
  /** What each purchase is assumed to cost, in minor units; null if it does not matter. */
  readonly price: bigint | null;
  /** It stays the same in between, instead of growing with each one. */
  readonly isStepped: boolean;
}

const POINTS = 50n;

type EarningRule = Pick<Rule, 'eventType' | 'beneficiaryRole'>;

/**
 * The earnings of 1 to 50 referrals or purchases, or further if the last step is. Null if the terms do not grow,
 * or are not complete. `currency` is that of the purchases.
 */
export function earningsOf(
  rule: EarningRule,
  terms: TermsFacts,
  currency: string,
): Earnings | null {
  const grown = terms.tiers ?? terms.milestone;
  const exponent = exponentOf(currency);
  if (!grown || !terms.enabled || exponent === undefined) return null;
  const { measure } = grown;
  const stride = strideOf(terms);
  const isShare = terms.calculation === 'percentage' && terms.benefitKind !== 'discount';
  // Revenue grows by one purchase at a time.
  const price = measure === 'revenue' ? stride : isShare ? hundredIn(exponent) : null;
  const counts = Array.from({ length: Number(POINTS) }, (_, index) => stride * BigInt(index + 1));
  const steps = terms.tiers?.steps ?? [ownStep(terms)];
  const sizes = steps.map((step) => sizeOf(terms, step, isShare ? price : null));
  if (!sizes.every((size) => size !== null)) return null;
  const isRate = terms.benefitKind === 'discount';
  const limit = limitOf(rule, terms);
  const total = (count: bigint): bigint => {
    if (terms.milestone) {
      const reached = timesReached(terms.milestone, count);
      return (sizes[0] ?? 0n) * (isRate ? least(reached, 1n) : least(reached, limit));
    }
    const events = measure === 'revenue' ? count / stride : count;
    const begins = steps.map(({ from }) =>
      measure === 'revenue' ? divideUp(BigInt(from), stride) : BigInt(from),
    );
    if (isRate) return sizes[begins.findLastIndex((from) => from <= events)] ?? 0n;
    return sumSteps(begins, sizes, least(events, limit));
  };
  return {
    measure,
    counts,
    totals: counts.map(total),
    kind: isRate ? 'rate' : terms.benefitKind === 'custom' ? 'units' : 'money',
    price,
    isStepped: isRate || terms.milestone !== null,
  };
}

/** How far apart the points are: all steps are to be seen. */
function strideOf({ tiers, milestone }: TermsFacts): bigint {
  const last = BigInt(tiers?.steps.at(-1)?.from ?? milestone?.at ?? 0);
  const end = milestone?.repeat ? last * 3n : (last * 5n) / 4n;
  return roundUp(divideUp(end, POINTS));
}

/** Up to 1, 2 or 5 of a power of ten. */
function roundUp(value: bigint): bigint {
  let power = 1n;
  while (power * 10n < value) power *= 10n;
  return [1n, 2n, 5n, 10n].map((one) => one * power).find((one) => one >= value) ?? value;
}

const divideUp = (value: bigint, by: bigint) => (value + by - 1n) / by;
const least = (one: bigint, other: bigint | null) => (other !== null && other < one ? other : one);

/** A hundred, or ten thousand of a currency without decimals. */
const hundredIn = (exponent: number) => (exponent === 0 ? 10_000n : 100n * 10n ** BigInt(exponent));

const ownStep = ({ rateBps, fixedAmountMinor, quantity }: TermsFacts): TierStep => ({
  from: '0',
  rateBps,
  fixedAmountMinor,
  quantity,
});

/** What one reward of a step is; null if it is not typed yet. */
function sizeOf({ roundingPolicy }: TermsFacts, step: TierStep, price: bigint | null) {
  const { rateBps, fixedAmountMinor, quantity } = step;
  if (rateBps !== null && price !== null) {
    return divideRounded(price * BigInt(rateBps), 10_000n, roundingPolicy);
  }
  const size = rateBps ?? fixedAmountMinor ?? quantity;
  return size === null ? null : BigInt(size);
}

/** How often one person can earn it; null without a limit. */
function limitOf({ eventType, beneficiaryRole }: EarningRule, terms: TermsFacts): bigint | null {
  const cap = terms.maxRewardsPerBeneficiary;
  const isOnce = terms.durationMode === 'once' || eventType === 'signup';
  // A referrer earns once for each friend; others have only themselves.
  if (beneficiaryRole !== 'referrer' && isOnce && !terms.milestone) return 1n;
  return cap === null ? null : BigInt(cap);
}

function timesReached({ at, repeat }: NonNullable<TermsFacts['milestone']>, count: bigint): bigint {
  const every = BigInt(at);
  if (every === 0n || count < every) return 0n;
  return repeat ? count / every : 1n;
}

/** The sum of the first rewards, each of the size of its step. */
function sumSteps(begins: readonly bigint[], sizes: readonly bigint[], events: bigint): bigint {
  return sizes.reduce((sum, size, index) => {
    const first = begins[index] || 1n;
    const next = begins[index + 1];
    const last = next === undefined ? events : least(events, next - 1n);
    return last < first ? sum : sum + size * (last - first + 1n);
  }, 0n);
}

function divideRounded(value: bigint, by: bigint, policy: TermsFacts['roundingPolicy']): bigint {
  const [whole, twice] = [value / by, (value % by) * 2n];
  const isUp = {
    up: twice > 0n,
    down: false,
    half_up: twice >= by,
    half_even: twice > by || (twice === by && whole % 2n === 1n),
  }[policy];
  return isUp ? whole + 1n : whole;
}
