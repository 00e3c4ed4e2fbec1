import type { Progress } from '../../../domain/rewards/decide/decide-progress.ts';
import { type Html, html } from '../../../platform/http/server/html.ts';
import type { Reader } from '../reader.ts';
import { fill } from '../texts/fill.ts';
import { measurePhrase, sizePhrase } from './growth-words.ts';

const BARS = {
  referrals: 'barReferrals',
  purchases: 'barPurchases',
  revenue: 'barRevenue',
} as const;
/** Of what somebody bought who was referred. */
const OWN_BARS = {
  ...BARS,
  purchases: 'barOwnPurchases',
  revenue: 'barOwnRevenue',
} as const;
const WINDOWS = {
  all_time: null,
  calendar_month: 'barMonth',
  rolling_30_days: 'barRolling',
} as const;

/** How far a partner is in each rule that grows, with a bar to the next step. */
export function progressPart(all: readonly Progress[], reader: Reader): Html | null {
  if (all.length === 0) return null;
  const items = all.map((one) => html`<li>${progressItem(one, reader)}</li>`);
  return html`<div class="block"><h4>${reader.texts.progress}</h4><ul class="bars">${items}</ul></div>`;
}

function progressItem(progress: Progress, reader: Reader): Html {
  const { texts } = reader;
  const { window, next } = progress;
  const steps = stepWords(progress, reader);
  const note = WINDOWS[window];
  const bar = next && {
    label: barLabel(progress, next.at, reader),
    percent: percentOf(BigInt(progress.value), BigInt(next.at)),
  };
  return html`${bar && html`<strong>${bar.label}</strong><progress max="100" value="${String(bar.percent)}" aria-label="${bar.label}" aria-valuetext="${[bar.label, ...steps].join('. ')}"></progress>`}<span class="soft between">${steps.map((step) => html`<span>${step}</span>`)}</span>${note && html`<span class="soft">${texts[note]}</span>`}`;
}

/** `Referrals: 3 of 5`. No word depends on a number, so that it reads well for every number. */
function barLabel({ role, measure, value, currency }: Progress, at: string, reader: Reader) {
  const [now, goal] = [value, at].map((n) => measurePhrase(measure, BigInt(n), currency, reader));
  const bars = role === 'referee' ? OWN_BARS : BARS;
  return fill(reader.texts[bars[measure]], { value: now ?? '', at: goal ?? '' });
}

/** What is given now, or how many milestones were reached; and what comes next. */
function stepWords(progress: Progress, reader: Reader): string[] {
  const { texts, formats } = reader;
  const { current, next } = progress;
  const words: string[] = [];
  if (current && current.reached !== null) {
    words.push(fill(texts.barReached, { count: formats.count(current.reached) }));
  } else if (current) words.push(fill(texts.barNow, { size: sizeOf(progress, current, reader) }));
  if (next) words.push(fill(texts.barThen, { size: sizeOf(progress, next, reader) }));
  return words;
}

function sizeOf(
  { currency, unitName, unitNamePlural }: Progress,
  size: NonNullable<Progress['next' | 'current']>,
  reader: Reader,
): string {
  const { rateBps, fixedAmountMinor, quantity } = size;
  const amount = fixedAmountMinor === null ? null : BigInt(fixedAmountMinor);
  const unit =
    unitName === null ? null : { name: unitName, namePlural: unitNamePlural ?? unitName };
  const sizes = { rateBps, fixedAmountMinor: amount, quantity };
  return sizePhrase({ currency, unit }, sizes, reader);
}

/** Whole percent, rounded down: full only if nothing is missing. */
export function percentOf(value: bigint, at: bigint): number {
  if (value >= at) return 100;
  return value <= 0n ? 0 : Number((value * 100n) / at);
}
