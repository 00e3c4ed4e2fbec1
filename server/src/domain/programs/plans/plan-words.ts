import { formatMajor } from '../../../platform/kit/money.ts';
import type { DefinedRule } from '../definition/defined-program.ts';
import { type DefinedTerms, writeTerms } from '../definition/terms-file.ts';

const TEXT_MAX = 80;

/** A value in a sentence. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return value === '' ? 'nothing' : `“${clip(value)}”`;
  return clip(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function clip(text: string): string {
  const signs = [...text.replace(/\s+/g, ' ')];
  return signs.length <= TEXT_MAX ? signs.join('') : `${signs.slice(0, TEXT_MAX - 1).join('')}…`;
}

const showRate = (bps: number) => `${bps / 100}%`;
const showPlain = (value: unknown) =>
  value === undefined
    ? 'none'
    : clip(typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Who gets what for what: “USD 10.00 in cash for the referrer of a purchase”. */
export function describeRule(rule: DefinedRule, terms: DefinedTerms): string {
  const { eventType, beneficiaryRole } = rule;
  const who = beneficiaryRole === 'subject' ? 'the person' : `the ${beneficiaryRole}`;
  const disabled = terms.enabled ? '' : ', disabled';
  return `${describeBenefit(terms)} for ${who} of each ${eventType}${disabled}`;
}

const AS = { cash: 'in cash', credit: 'as credit', discount: '', custom: '' } as const;

function describeBenefit(terms: DefinedTerms): string {
  const { benefitKind, calculation, tiers, milestone } = terms;
  const sizes = tiers ? tiers.steps : [terms];
  const [first, last] = [sizes[0], sizes.at(-1)].map((size) => describeSize({ ...terms, ...size }));
  const size = tiers ? `${first} to ${last}, by ${tiers.measure},` : first;
  const of = calculation === 'percentage' && benefitKind !== 'discount' ? ' of the amount' : '';
  const what = benefitKind === 'discount' ? `a discount of ${size}` : `${size}${of}`;
  const as = AS[benefitKind] && ` ${AS[benefitKind]}`;
  const when = milestone
    ? ` at ${milestone.repeat ? 'every' : 'the first'} ${milestone.at} ${milestone.measure}`
    : '';
  return `${what}${as}${when}`;
}

function describeSize(
  terms: Pick<
    DefinedTerms,
    'rateBps' | 'fixedAmountMinor' | 'quantity' | 'currency' | 'currencyExponent' | 'unit'
  >,
) {
  const { rateBps, fixedAmountMinor, quantity, currency, currencyExponent, unit } = terms;
  if (rateBps !== null) return showRate(rateBps);
  if (fixedAmountMinor !== null) {
    return `${currency} ${formatMajor(fixedAmountMinor, currencyExponent ?? 0)}`;
  }
  return `${quantity} ${quantity === 1 ? unit?.name : unit?.namePlural}`;
}

const LABELS: Readonly<Record<string, string>> = {
  validityDays: 'valid days',
  durationMode: 'duration',
  durationMonths: 'months',
  maxRewardsPerBeneficiary: 'rewards per person at most',
  conditions: 'conditions',
  tiers: 'tiers',
  milestone: 'milestone',
  roundingPolicy: 'rounding',
  refundPolicy: 'refunds',
};

/** What differs between terms: “20% of the amount in cash → 25% of the amount in cash, rounding half_up → down”. */
export function describeTermsChange(from: DefinedTerms, to: DefinedTerms): string {
  const parts: string[] = [];
  const [before, after] = [describeBenefit(from), describeBenefit(to)];
  if (before !== after) parts.push(`${before} → ${after}`);
  const [old, next] = [written(from), written(to)];
  for (const [field, label] of Object.entries(LABELS)) {
    const [was, is] = [showPlain(old[field]), showPlain(next[field])];
    if (was !== is) parts.push(`${label} ${was} → ${is}`);
  }
  if (from.enabled !== to.enabled) parts.push(to.enabled ? 'enabled again' : 'disabled');
  return parts.join(', ');
}

function written(terms: DefinedTerms): Record<string, unknown> {
  const { durationMode, roundingPolicy, refundPolicy } = terms;
  return { ...writeTerms(terms), durationMode, roundingPolicy, refundPolicy };
}

/** The fields of two objects that differ: “windowDays 90 → 30”. */
export function describeFields(from: object, to: object): string {
  const [before, after] = [flatten(from), flatten(to)];
  return [...after]
    .filter(([path, value]) => showPlain(before.get(path)) !== showPlain(value))
    .map(([path, value]) => `${path} ${showPlain(before.get(path))} → ${showPlain(value)}`)
    .join(', ');
}

/** What is changed as a whole. */
const WHOLE: ReadonlySet<string> = new Set(['cssVariables', 'planUpgrades']);

/** The values of an object by their dotted paths. */
export function flatten(value: object, prefix = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const path = prefix + name;
    const isNested = member !== null && typeof member === 'object' && !WHOLE.has(name);
    if (!isNested) found.set(path, member);
    else for (const [inner, one] of flatten(member, `${path}.`)) found.set(inner, one);
  }
  return found;
}
