import type { Progress, Start } from './api-types.ts';
import { formatBenefit, formatMoney } from './format.ts';
import { fill, type Language } from './texts.ts';

/** How far the participant is in each rule that grows, with a bar to the next step. */
export function ProgressList({ language, start }: { language: Language; start: Start }) {
  const items = [];
  // Earlier versions of the service have none.
  for (const one of start.progress ?? []) {
    items.push(<Goal key={one.ruleId} language={language} progress={one} />);
  }
  return (
    items.length > 0 && (
      <section aria-labelledby="progress">
        <h3 id="progress">{language.texts.progress}</h3>
        <ul class="rows">{items}</ul>
      </section>
    )
  );
}

function Goal({ language, progress }: { language: Language; progress: Progress }) {
  const { texts, locale } = language;
  const { role, measure, window, value, current, next, currency, currencyExponent } = progress;
  // The form of the number says whether it is of purchases or of money.
  const what = texts[role === 'referee' ? 'own' : measure];
  // Words of their own, so that none depends on the number.
  const number = new Intl.NumberFormat(locale);
  const tell = (count: string) =>
    measure === 'revenue'
      ? formatMoney(locale, count, currency ?? '', currencyExponent ?? 0)
      : number.format(Number(count));
  const far = next
    ? fill(fill(texts.goal, 'value', tell(value)), 'at', tell(next.at))
    : tell(value);
  const size = (step: NonNullable<Progress['next' | 'current']>) =>
    formatBenefit(language, { ...progress, ...step });
  const given =
    current &&
    (current.reached === null
      ? fill(texts.now, 'size', size(current))
      : fill(texts.reached, 'count', number.format(current.reached)));
  return (
    <li>
      <div>
        <span>{what}</span>
        <b>{far}</b>
      </div>
      {next && <progress max={next.at} value={value} aria-label={what} aria-valuetext={far} />}
      <div>
        <p>{given}</p>
        <p>{next && fill(texts.next, 'size', size(next))}</p>
      </div>
      {window !== 'all_time' && <p>{texts[window]}</p>}
    </li>
  );
}
