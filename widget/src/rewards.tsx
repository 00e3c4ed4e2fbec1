import type { Reward, Start, Summary } from './api-types.ts';
import { formatDate, formatDays, formatMoney, formatReward } from './format.ts';
import type { Model, Rewards } from './model.ts';
import { PayoutCard } from './payout-card.tsx';
import { Failed, Skeleton } from './states.tsx';
import { fill, type Language } from './texts.ts';

export function RewardList({ model, start }: { model: Model; start: Start }) {
  const { texts } = model.language;
  const { value, failure } = model.rewards;
  return (
    <section class="rewards" aria-labelledby="rewards">
      <h3 id="rewards">{texts.rewards}</h3>
      {value ? (
        <>
          {failure && !model.isPaging && (
            <Failed model={model} failure={failure} onRetry={() => model.loadRewards()} />
          )}
          {value.summary && <Figures language={model.language} summary={value.summary} />}
          <PayoutCard model={model} start={start} rewards={value.items} />
          {value.items.length === 0 ? (
            <div class="empty">
              <b>{texts.empty}</b>
              {start.program.status === 'active' && <p>{texts.emptyHint}</p>}
            </div>
          ) : (
            <Rows language={model.language} items={value.items} />
          )}
          <More model={model} rewards={value} />
        </>
      ) : failure ? (
        <Failed model={model} failure={failure} onRetry={() => model.loadRewards()} />
      ) : (
        <Skeleton model={model} />
      )}
    </section>
  );
}

function Figures({ language, summary }: { language: Language; summary: Summary }) {
  const { texts, locale } = language;
  const number = new Intl.NumberFormat(locale);
  const amounts = [];
  for (const { netAmountMinor, currency, currencyExponent } of summary.earned) {
    const amount = formatMoney(locale, netAmountMinor, currency, currencyExponent);
    amounts.push(<dd key={currency}>{amount}</dd>);
  }
  return (
    <dl class="figures">
      {amounts.length > 0 && (
        <div class="earned">
          <dt>{texts.earned}</dt>
          {amounts}
        </div>
      )}
      <div>
        <dt>{texts.referrals}</dt>
        <dd>{number.format(summary.referralCount)}</dd>
      </div>
      <div>
        <dt>{texts.count}</dt>
        <dd>{number.format(summary.rewardCount)}</dd>
      </div>
    </dl>
  );
}

function Rows({ language, items }: { language: Language; items: readonly Reward[] }) {
  const rows = [];
  for (const item of items) rows.push(<Row key={item.id} language={language} reward={item} />);
  return <ul class="rows">{rows}</ul>;
}

function Row({ language, reward }: { language: Language; reward: Reward }) {
  const { texts, locale } = language;
  const { status } = reward;
  const hints = hintsOf(language, reward);
  const lines = [];
  for (const hint of hints) lines.push(<p key={hint}>{hint}</p>);
  return (
    <li class={status}>
      <div>
        <b>
          <bdi>{formatReward(language, reward)}</bdi>
        </b>
        <span class="status">{texts[status]}</span>
      </div>
      <p>
        {reward.role === 'referrer' ? texts.referrer : texts.referee}
        {' · '}
        <time dateTime={reward.date}>{formatDate(locale, reward.date)}</time>
      </p>
      {lines}
    </li>
  );
}

/** Further details for the owner: since when, for how long, why not, and what to do. */
function hintsOf({ texts, locale }: Language, reward: Reward): string[] {
  const { status, availableAt, custom, money } = reward;
  const hints: string[] = [];
  if (status === 'on_hold') {
    const date = formatDate(locale, availableAt);
    const isHeld = reward.holdReason === 'review';
    hints.push(isHeld ? texts.checking : fill(texts.available, 'date', date));
  }
  if (money && money.amountMinor !== money.netAmountMinor) {
    const { amountMinor, currency, currencyExponent } = money;
    const before = formatMoney(locale, amountMinor, currency, currencyExponent);
    hints.push(fill(texts.reduced, 'amount', before));
  }
  if (custom?.validityDays) {
    hints.push(fill(texts.validity, 'days', formatDays(locale, custom.validityDays)));
  }
  if (reward.action === 'contact_support') hints.push(texts.support);
  return hints;
}

/** Loads when it is scrolled into view, or when pressed. */
function More({ model, rewards }: { model: Model; rewards: Rewards }) {
  if (rewards.next === null) return null;
  const { isLoading, failure } = model.rewards;
  const { texts } = model.language;
  if (failure && model.isPaging)
    return <Failed model={model} failure={failure} onRetry={() => model.loadMore()} />;
  return (
    <button
      type="button"
      class="button quiet"
      aria-busy={isLoading}
      ref={(button) => {
        if (button) watch(button, rewards, model);
      }}
      onClick={() => void model.loadMore()}
    >
      {isLoading ? texts.loading : texts.more}
    </button>
  );
}

const watched = new WeakMap<Element, Rewards>();

/** Observed again for every page, because the button may still be in view. */
function watch(button: Element, rewards: Rewards, model: Model): void {
  if (watched.get(button) === rewards || !('IntersectionObserver' in window)) return;
  watched.set(button, rewards);
  const observer = new IntersectionObserver((entries) => {
    if (!button.isConnected || watched.get(button) !== rewards) observer.disconnect();
    else for (const { isIntersecting } of entries) if (isIntersecting) void model.loadMore();
  });
  observer.observe(button);
}
