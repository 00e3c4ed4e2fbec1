import type { TermsVersion, Unit } from '../../../domain/programs/program-book.ts';
import type { Measure, Step } from '../../../domain/programs/rules/measures.ts';
import type { Reader } from '../reader.ts';
import { fill } from '../texts/fill.ts';

/** The fields of terms that a size is told by. */
interface SizedTerms {
  readonly currency: string | null;
  readonly unit: Pick<Unit, 'name' | 'namePlural'> | null;
}
type Sizes = Omit<Step, 'from'>;
type GrowingTerms = SizedTerms & Sizes & Pick<TermsVersion, 'tiers' | 'milestone'>;
type Who = 'you' | 'they';

/** How much: `20%`, `$10.00` or `2 seats`. */
export function sizePhrase(terms: SizedTerms, size: Sizes, { formats }: Reader): string {
  const { rateBps, fixedAmountMinor, quantity } = size;
  if (quantity !== null) {
    const { unit } = terms;
    const name = quantity === 1 ? unit?.name : unit?.namePlural;
    return `${formats.count(quantity)} ${name ?? ''}`.trim();
  }
  if (fixedAmountMinor !== null) {
    return formats.money(fixedAmountMinor, terms.currency ?? 'USD');
  }
  return formats.percent(rateBps ?? 0);
}

/** The smallest and the largest size that terms give: `20%–30%`; one if there is only one. */
export function sizeRange(terms: GrowingTerms, reader: Reader): string {
  const sizes: readonly Sizes[] = terms.tiers?.steps ?? [terms];
  const least = sizes.reduce((a, b) => (amountOf(b) < amountOf(a) ? b : a));
  const most = sizes.reduce((a, b) => (amountOf(b) > amountOf(a) ? b : a));
  const phrases = [least, most].map((size) => sizePhrase(terms, size, reader));
  // From right to left the smaller one is on the right, which the digits alone would not tell.
  const isolate = (text: string) => (reader.dir === 'rtl' ? `\u2068${text}\u2069` : text);
  return [...new Set(phrases)].map(isolate).join('–');
}

function amountOf({ rateBps, fixedAmountMinor, quantity }: Sizes): bigint {
  return fixedAmountMinor ?? BigInt(quantity ?? rateBps ?? 0);
}

/** A value of a measure: a count, or an amount of revenue. */
export function measurePhrase(
  measure: Measure,
  value: bigint,
  currency: string | null,
  { formats }: Reader,
): string {
  return measure === 'revenue' ? formats.money(value, currency ?? 'USD') : formats.count(value);
}

const NAMES = { referrals: 'Referrals', purchases: 'Purchases', revenue: 'Revenue' } as const;

/** A referee makes no referrals: terms that measure theirs are refused. */
function nameOf(who: Who, kind: 'Tiers' | 'Milestone', measure: Measure) {
  if (who === 'you') return `you${kind}${NAMES[measure]}` as const;
  return `they${kind}${measure === 'revenue' ? 'Revenue' : 'Purchases'}` as const;
}

/** What the size depends on, step by step, and over which time. */
export function tierSentences(terms: GrowingTerms, who: Who, reader: Reader): string[] {
  const { tiers, currency } = terms;
  if (!tiers) return [];
  const { texts, formats } = reader;
  const steps = tiers.steps.map((step) => {
    const size = sizePhrase(terms, step, reader);
    if (step.from === 0n) return fill(texts.tierFirst, { size });
    const count = measurePhrase(tiers.measure, step.from, currency, reader);
    return fill(texts.tierStep, { size, count });
  });
  return [
    fill(texts[nameOf(who, 'Tiers', tiers.measure)], { steps: formats.all(steps) }),
    ...(tiers.window === 'calendar_month' ? [texts.windowMonth] : []),
    ...(tiers.window === 'rolling_30_days' ? [texts.windowRolling] : []),
  ];
}

/** The main sentence of a milestone; null for other terms. */
export function milestoneSentence(
  { milestone, currency }: GrowingTerms,
  benefit: string,
  who: Who,
  reader: Reader,
): string | null {
  if (!milestone) return null;
  const { measure, at } = milestone;
  const count = measurePhrase(measure, at, currency, reader);
  return fill(reader.texts[nameOf(who, 'Milestone', measure)], { benefit, count });
}

/** Whether a milestone comes again, and what refunds do to it. */
export function milestoneConditions({ milestone, currency }: GrowingTerms, reader: Reader) {
  if (!milestone) return [];
  const { measure, at, repeat } = milestone;
  const { texts } = reader;
  const times = (n: bigint) => measurePhrase(measure, at * n, currency, reader);
  return [
    ...(repeat ? [fill(texts.milestoneRepeat, { next: times(2n), later: times(3n) })] : []),
    ...(measure === 'referrals' ? [] : [texts.milestoneRefund]),
  ];
}
