import type { MoneyTotals } from '../../domain/rewards/decide/reward-figures.ts';
import { COOLING_MS } from '../../outbound/payouts/details/decide-details-change.ts';
import type { PayoutDetails } from '../../outbound/payouts/details/details-schema.ts';
import type { Transfer } from '../../outbound/payouts/queries.ts';
import { type Html, html } from '../../platform/http/server/html.ts';
import { addMs } from '../../platform/kit/instant.ts';
import { type Frame, type Page, widePage } from './layout.ts';
import type { EarnedReward } from './load-partner.ts';
import { programCard, programId, type ShownProgram } from './program-html.ts';
import type { Reader } from './reader.ts';
import type { Results } from './results/load-results.ts';
import { resultsCard } from './results/results-html.ts';
import { RESULTS_SCRIPT } from './results/script.ts';
import {
  describeBenefit,
  describeReward,
  describeTransfer,
  nameMethod,
  type Words,
} from './status-words.ts';
import { COPY_SCRIPT } from './style.ts';
import { fill, fillHtml } from './texts/fill.ts';

export interface Overview {
  readonly programs: readonly ShownProgram[];
  readonly results: Results;
  readonly totals: readonly MoneyTotals[];
  readonly rewards: readonly EarnedReward[];
  readonly hasMoreRewards: boolean;
  readonly transfers: readonly Transfer[];
  readonly hasMoreTransfers: boolean;
  readonly details: PayoutDetails;
  /** Whether details were just saved. */
  readonly isSaved: boolean;
  /** The link that was just created; null for none. */
  readonly created: string | null;
}

export function overviewPage(frame: Frame, overview: Overview): Page {
  const { root, partner, reader } = frame;
  const { texts } = reader;
  const { programs, rewards, transfers } = overview;
  const add = html`<a href="${root}/details">${texts.addDetailsInline}</a>`;
  const content = html`<h1>${texts.pageTitle}</h1>
${overview.isSaved ? html`<p class="note good" role="status">${texts.detailsSaved}</p>` : ''}
${overview.created === null ? '' : html`<p class="note good" role="status">${fillHtml(texts.linkCreated, { link: html`<bdi>${overview.created}</bdi>` })}</p>`}
${suspendedNotice(frame)}
${overview.details.configured ? '' : html`<p class="note">${fillHtml(texts.cannotBePaid, { add })}</p>`}
${resultsCard(frame, overview.results)}
<div class="columns">
<div>
${totalsCard(overview.totals, reader)}
<section class="stack" aria-labelledby="programs">
<h2 id="programs">${texts.programs}</h2>
${programs.length === 0 ? html`<p class="card soft">${texts.noPrograms}</p>` : programs.map((program, index) => programCard(frame, program, index))}
</section>
<section class="card" aria-labelledby="rewards">
<h2 id="rewards">${texts.rewards}</h2>
${rewardList(rewards, partner.status === 'suspended', reader)}
${overview.hasMoreRewards ? html`<p><a href="${root}/rewards">${texts.allRewards}</a></p>` : ''}
</section>
</div>
<div>
${detailsCard(frame, overview.details)}
<section class="card" aria-labelledby="payouts">
<h2 id="payouts">${texts.payouts}</h2>
${transferList(transfers, reader)}
${overview.hasMoreTransfers ? html`<p><a href="${root}/payouts">${texts.allPayouts}</a></p>` : ''}
</section>
</div>
</div>`;
  // The only program gives the whole page its brand.
  const isSeveral = programs.length > 1;
  const brands = isSeveral
    ? programs.map(({ brand }, index) => [`#${programId(index)}`, brand] as const)
    : [];
  const script = `${COPY_SCRIPT}${RESULTS_SCRIPT}`;
  return widePage(frame, { title: texts.pageTitle, content, brands, script, fetches: true });
}

export function suspendedNotice({ partner, reader: { texts } }: Frame): Html | null {
  return partner.status === 'suspended'
    ? html`<p class="note" role="status"><strong>${texts.suspended}</strong> ${texts.suspendedText}</p>`
    : null;
}

function totalsCard(totals: readonly MoneyTotals[], { texts, formats }: Reader): Html | null {
  if (totals.length === 0) return null;
  const tile = (term: string, amountMinor: bigint, currency: string) =>
    html`<div><dt>${term}</dt><dd>${formats.money(amountMinor, currency)}</dd></div>`;
  const groups = totals.map(
    ({ currency, earnedMinor, paidMinor }) => html`<dl class="totals">
${tile(texts.earned, earnedMinor, currency)}
${tile(texts.paid, paidMinor, currency)}
${tile(texts.unpaid, earnedMinor - paidMinor, currency)}
</dl>`,
  );
  return html`<section class="card" aria-labelledby="totals">
<h2 id="totals">${texts.totals}</h2>
${groups}
</section>`;
}

/** One reward or payout: name, state, time, and a note. */
function rowOf(what: Html, when: string, { tone, label, note }: Words): Html {
  return html`<li><span>${what}</span><span class="state ${tone}">${label}</span><span class="soft when">${when}</span>${note && html`<span class="soft">${note}</span>`}</li>`;
}

export function rewardList(
  rewards: readonly EarnedReward[],
  isSuspended: boolean,
  reader: Reader,
): Html {
  const { texts, formats } = reader;
  if (rewards.length === 0) return html`<p class="soft">${texts.noRewards}</p>`;
  const items = rewards.map(({ reward, programName }) => {
    const when = `${formats.day(reward.earnedAt)} · ${programName}`;
    const what = html`<strong>${describeBenefit(reward, reader)}</strong>${reducedFrom(reward.money, reader)}`;
    return rowOf(what, when, describeReward(reward, isSuspended, reader));
  });
  return html`<ol class="rows">${items}</ol>`;
}

function reducedFrom(
  money: EarnedReward['reward']['money'],
  { texts, formats }: Reader,
): Html | null {
  if (!money || money.amountMinor === money.netAmountMinor) return null;
  const amount = formats.money(BigInt(money.amountMinor), money.currency);
  return html` <span>${fill(texts.reducedFrom, { amount })}</span>`;
}

export function transferList(transfers: readonly Transfer[], reader: Reader): Html {
  const { texts, formats } = reader;
  if (transfers.length === 0) return html`<p class="soft">${texts.noPayouts}</p>`;
  const items = transfers.map((transfer) => {
    const amount = formats.money(transfer.amountMinor, transfer.currency);
    const when = `${formats.day(transfer.paidAt ?? transfer.createdAt)} · ${nameMethod(transfer.method, reader)}`;
    return rowOf(html`<strong>${amount}</strong>`, when, describeTransfer(transfer, reader));
  });
  return html`<ol class="rows">${items}</ol>`;
}

const TYPES: Readonly<Record<Exclude<NonNullable<PayoutDetails['type']>, 'bank'>, string>> = {
  paypal: 'PayPal',
  wise: 'Wise',
  stripe_connect: 'Stripe',
};

/** The partner's payout details, masked, with their state. */
export function describeDetails(details: PayoutDetails, { texts, formats }: Reader): Html {
  const { type, label, status, updatedAt } = details;
  if (type === null || label === null || updatedAt === null) {
    return html`<p>${texts.detailsMissing}</p>`;
  }
  const shown = html`<p><strong>${type === 'bank' ? texts.bankAccount : TYPES[type]}</strong> <bdi>${label}</bdi></p>`;
  if (status === 'cooling_down') {
    const time = formats.time(addMs(updatedAt, COOLING_MS));
    return html`${shown}<p class="soft">${fill(texts.detailsCooling, { time })}</p>`;
  }
  if (status === 'needs_update') {
    return html`${shown}<p class="note">${texts.detailsFailed}</p>`;
  }
  return html`${shown}<p class="soft">${fill(texts.detailsSavedOn, { day: formats.day(updatedAt) })}</p>`;
}

function detailsCard({ root, reader }: Frame, details: PayoutDetails): Html {
  const { texts } = reader;
  return html`<section class="card" aria-labelledby="details">
<h2 id="details">${texts.details}</h2>
${describeDetails(details, reader)}
<p><a class="button${details.configured ? ' quiet' : ''}" href="${root}/details">${details.configured ? texts.change : texts.addDetails}</a></p>
</section>`;
}

/** One page of all rewards or payouts. `content` is markup. */
export function listPage(
  frame: Frame,
  title: string,
  content: Html,
  paths: { readonly here: string; readonly next: string | null; readonly isFirst: boolean },
): Page {
  const { root } = frame;
  const { texts } = frame.reader;
  const list = html`<p><a href="${root}">${texts.back}</a></p>
<h1>${title}</h1>
${suspendedNotice(frame)}
<section class="card" aria-label="${title}">
${content}
</section>
<nav class="between" aria-label="${texts.pages}">
${paths.isFirst ? html`<span></span>` : html`<a href="${root}/${paths.here}">${texts.newest}</a>`}
${paths.next === null ? '' : html`<a href="${root}/${paths.here}?after=${paths.next}" rel="next">${texts.older}</a>`}
</nav>`;
  return widePage(frame, { title, content: list }, true);
}
