import { type Html, html } from '../../../platform/http/server/html.ts';
import { exponentOf } from '../../../platform/kit/currencies.ts';
import type { Reader } from '../reader.ts';
import { fill } from '../texts/fill.ts';
import type { Metric } from './choice.ts';
import { type Bar, isAmount, numberOf, topOf } from './fold-results.ts';
import { METRIC_NAMES, sayNumber, sayWhen } from './words.ts';

/** Widths and heights within the picture, which is stretched to its place. */
const STEP = 10;
const GAP = 2;
const HEIGHT = 100;
/** A bar of anything can be seen. */
const LEAST = 1.5;

/**
 * One number of a period as bars. The picture has no text, so that it can be stretched, and mirrored for
 * languages from right to left; its texts are around it.
 */
export function chartHtml(
  bars: readonly Bar[],
  metric: Metric,
  currency: string | undefined,
  reader: Reader,
): Html {
  const { texts, formats } = reader;
  const money = isAmount(metric) ? currency : undefined;
  const unit = money === undefined ? 1n : 10n ** BigInt(exponentOf(money));
  const values = bars.map(({ numbers }) => numberOf(numbers, metric, currency));
  const top = topOf(values, unit);
  const scale = [top, top / 2n, 0n].map((value) =>
    formats.short(Number(value) / Number(unit), money ?? null),
  );
  const drawn = bars.map((bar, index) => {
    const value = values[index] ?? 0n;
    const height = value <= 0n ? 0 : Math.max(LEAST, (HEIGHT * Number(value)) / Number(top));
    const text = `${sayWhen(bar, reader)} · ${sayNumber(bar.numbers, metric, currency, reader)}`;
    const x = index * STEP;
    return html`<g data-say="${text}"><title>${text}</title><rect class="hit" x="${x}" y="0" width="${STEP}" height="${HEIGHT}"/><rect x="${x + GAP / 2}" y="${(HEIGHT - height).toFixed(1)}" width="${STEP - GAP}" height="${height.toFixed(1)}"/></g>`;
  });
  const [first, last] = [bars[0]?.from ?? '', bars.at(-1)?.to ?? ''].map((day) =>
    sayWhen({ from: day, to: day }, reader),
  );
  const byWeek = bars.some(({ from, to }) => from !== to);
  const summary = fill(byWeek ? texts.resultsByWeek : texts.resultsByDay, {
    number: texts[METRIC_NAMES[metric]],
    from: first ?? '',
    to: last ?? '',
  });
  const width = bars.length * STEP;
  const isEmpty = values.every((value) => value <= 0n);
  return html`<figure class="chart">
<figcaption class="soft" data-still="${summary}">${summary}</figcaption>
<div class="scale" aria-hidden="true">${scale.map((text) => html`<span>${text}</span>`)}</div>
<div class="plot"><svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${summary}"><path class="lines" d="M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}"/>${drawn}</svg>
${isEmpty ? html`<p class="soft">${texts.resultsNone}</p>` : null}</div>
<div class="ends soft" aria-hidden="true"><span>${first ?? ''}</span><span>${last ?? ''}</span></div>
</figure>`;
}
