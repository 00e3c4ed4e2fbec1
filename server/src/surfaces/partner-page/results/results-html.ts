import { type Html, html } from '../../../platform/http/server/html.ts';
import type { Shell } from '../layout.ts';
import type { Reader } from '../reader.ts';
import { chartHtml } from './chart-html.ts';
import { type Choice, METRICS, PERIODS, writeChoice } from './choice.ts';
import { type Bar, currenciesOf } from './fold-results.ts';
import type { Results } from './load-results.ts';
import { METRIC_NAMES, sayAmounts, sayNumber, sayWhen } from './words.ts';

/** The place of the results; the script replaces what is in it. */
export function resultsCard(shell: Shell, results: Results): Html {
  return html`<section class="card" id="results" aria-labelledby="results-title">
${resultsPart(shell, results)}
</section>`;
}

/** The numbers of a period, each a link that draws it; the chart; and the same as a table. */
export function resultsPart(shell: Shell, { choice, bars, total }: Results): Html {
  const { reader } = shell;
  const { texts, formats } = reader;
  const currencies = currenciesOf(bars);
  const currency = currencies.find((code) => code === choice.currency) ?? currencies[0];
  const item = (change: Partial<Choice>, isOn: boolean, content: Html | string) =>
    html`<li>${switchLink(shell, { ...choice, ...change }, isOn, content)}</li>`;
  const periods = PERIODS.map((days) =>
    item({ days }, days === choice.days, formats.span(days, 'day')),
  );
  const codes = currencies.map((code) => item({ currency: code }, code === currency, code));
  const tiles = METRICS.map((metric) => {
    const value = sayNumber(total, metric, currency, reader);
    const content = html`<span>${texts[METRIC_NAMES[metric]]}</span> <b>${value}</b>`;
    return item({ metric }, metric === choice.metric, content);
  });
  return html`<div class="between"><h2 id="results-title">${texts.results}</h2>
<nav aria-label="${texts.period}"><ul class="tabs small">${periods}</ul></nav></div>
${currencies.length > 1 ? html`<nav aria-label="${texts.currency}"><ul class="tabs small">${codes}</ul></nav>` : null}
<nav aria-label="${texts.resultsChoose}"><ul class="tiles">${tiles}</ul></nav>
${chartHtml(bars, choice.metric, currency, reader)}
<p class="soft">${texts.resultsText}</p>
<details><summary>${texts.resultsTable}</summary>${tableOf(bars, reader)}</details>`;
}

/** Leads to the page with this choice; where scripts run, only the card is loaded again. */
function switchLink({ root }: Shell, choice: Choice, isOn: boolean, content: Html | string): Html {
  const query = writeChoice(choice);
  return html`<a href="${root}?${query}#results" data-part="${root}/results?${query}"${isOn ? html` aria-current="true"` : null}>${content}</a>`;
}

/** Newest first. */
function tableOf(bars: readonly Bar[], reader: Reader): Html {
  const { texts, formats } = reader;
  const lines = bars.toReversed().map((bar) => {
    const { numbers } = bar;
    const counts = ['clicks', 'referrals', 'customers'].map(
      (name) => html`<td>${formats.count(numbers.count(name))}</td>`,
    );
    const amounts = (['sales', 'earned'] as const).map((metric) => {
      const sums = sayAmounts(numbers, metric, reader);
      return html`<td>${sums.length === 0 ? '–' : sums.map((sum) => html`<div>${sum}</div>`)}</td>`;
    });
    return html`<tr><th scope="row">${sayWhen(bar, reader)}</th>${counts}${amounts}</tr>`;
  });
  const heads = [texts.day, texts.clicks, texts.referrals, texts.customers, texts.sales].map(
    (text) => html`<th scope="col">${text}</th>`,
  );
  return html`<div class="across" role="group" tabindex="0" aria-label="${texts.results}"><table class="numbers"><thead><tr>${heads}<th scope="col">${texts.earned}</th></tr></thead><tbody>${lines}</tbody></table></div>`;
}
