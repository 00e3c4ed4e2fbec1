import type { MoneyTotals } from '../../domain/rewards/decide/reward-figures.ts';
import { COOLING_MS } from '../../outbound/payouts/details/decide-details-change.ts';
import type { PayoutDetails } from '../../outbound/payouts/details/details-schema.ts';
import type { Transfer } from '../../outbound/payouts/queries.ts';
import { type Html, html } from '../../platform/http/server/html.ts';
import { addMs } from '../../platform/kit/instant.ts';
import type { Formats } from './formats.ts';
import { type Frame, widePage } from './layout.ts';
import type { EarnedReward, JoinedProgram } from './load-partner.ts';
import {
  describeBenefit,
  describeReward,
  describeTransfer,
  nameMethod,
  type Words,
} from './status-words.ts';

export interface Overview {
  readonly programs: readonly JoinedProgram[];
  readonly totals: readonly MoneyTotals[];
  readonly rewards: readonly EarnedReward[];
  readonly hasMoreRewards: boolean;
  readonly transfers: readonly Transfer[];
  readonly hasMoreTransfers: boolean;
  readonly details: PayoutDetails;
  /** Whether details were just saved. */
  readonly isSaved: boolean;
}

export function overviewPage(frame: Frame, overview: Overview, formats: Formats): string {
  const { root, partner } = frame;
  const { programs, rewards, transfers } = overview;
  return widePage(
    frame,
    'Your partner page',
    html`<h1>Your partner page</h1>
${overview.isSaved ? html`<p class="note good" role="status">Your payout details are saved.</p>` : ''}
${suspendedNotice(partner.status)}
${overview.details.configured ? '' : html`<p class="note">You cannot be paid yet: <a href="${root}/details">add your payout details</a>.</p>`}
<div class="columns">
<div>
${totalsCard(overview.totals, formats)}
<section class="card" aria-labelledby="programs">
<h2 id="programs">Your links and codes</h2>
${programs.length === 0 ? html`<p class="soft">You are not in a program at the moment.</p>` : html`<div class="programs">${programs.map(programItem)}</div>`}
</section>
<section class="card" aria-labelledby="rewards">
<h2 id="rewards">Rewards</h2>
${rewardList(rewards, partner.status === 'suspended', formats)}
${overview.hasMoreRewards ? html`<p><a href="${root}/rewards">All rewards</a></p>` : ''}
</section>
</div>
<div>
${detailsCard(frame, overview.details, formats)}
<section class="card" aria-labelledby="payouts">
<h2 id="payouts">Payouts</h2>
${transferList(transfers, formats)}
${overview.hasMoreTransfers ? html`<p><a href="${root}/payouts">All payouts</a></p>` : ''}
</section>
</div>
</div>`,
  );
}

export function suspendedNotice(status: Frame['partner']['status']): Html | null {
  return status === 'suspended'
    ? html`<p class="note" role="status"><strong>You are suspended.</strong> Your codes and links earn nothing at the moment, and nothing is paid. Contact the people who run the program.</p>`
    : null;
}

function totalsCard(totals: readonly MoneyTotals[], formats: Formats): Html | null {
  if (totals.length === 0) return null;
  const tile = (term: string, amountMinor: bigint, currency: string) =>
    html`<div><dt>${term}</dt><dd>${formats.money(amountMinor, currency)}</dd></div>`;
  const groups = totals.map(
    ({ currency, earnedMinor, paidMinor }) => html`<dl class="totals">
${tile('Earned', earnedMinor, currency)}
${tile('Paid', paidMinor, currency)}
${tile('Not paid yet', earnedMinor - paidMinor, currency)}
</dl>`,
  );
  return html`<section class="card" aria-labelledby="totals">
<h2 id="totals">Totals</h2>
${groups}
</section>`;
}

const STANDINGS: Readonly<Record<JoinedProgram['standing'], string | null>> = {
  open: null,
  paused: 'Paused: your links still open, but bring no new referrals.',
  over: 'Ended: your codes and links no longer bring new referrals.',
};

function programItem({ name, standing, codes, links }: JoinedProgram): Html {
  const line = (text: string) => html`<dd><code tabindex="0">${text}</code></dd>`;
  const note = STANDINGS[standing];
  return html`<div class="program">
<h3>${name}</h3>
${note === null ? '' : html`<p class="soft">${note}</p>`}
<dl class="share">
${links.length === 0 ? '' : html`<dt>${links.length === 1 ? 'Your link' : 'Your links'}</dt>${links.map(line)}`}
${codes.length === 0 ? '' : html`<dt>${codes.length === 1 ? 'Your code' : 'Your codes'}</dt>${codes.map(line)}`}
</dl>
</div>`;
}

/** One reward or payout: name, state, time, and a note. */
function rowOf(what: Html, when: string, { tone, label, note }: Words): Html {
  return html`<li><span>${what}</span><span class="state ${tone}">${label}</span><span class="soft when">${when}</span>${note && html`<span class="soft">${note}</span>`}</li>`;
}

export function rewardList(
  rewards: readonly EarnedReward[],
  isSuspended: boolean,
  formats: Formats,
): Html {
  if (rewards.length === 0) return html`<p class="soft">You have no rewards yet.</p>`;
  const items = rewards.map(({ reward, programName }) => {
    const when = `${formats.day(reward.earnedAt)} · ${programName}`;
    const what = html`<strong>${describeBenefit(reward, formats)}</strong>${reducedFrom(reward.money, formats)}`;
    return rowOf(what, when, describeReward(reward, isSuspended, formats));
  });
  return html`<ol class="rows">${items}</ol>`;
}

function reducedFrom(money: EarnedReward['reward']['money'], formats: Formats): Html | null {
  if (!money || money.amountMinor === money.netAmountMinor) return null;
  const before = formats.money(BigInt(money.amountMinor), money.currency);
  return html` <span>of ${before}, after a refund</span>`;
}

export function transferList(transfers: readonly Transfer[], formats: Formats): Html {
  if (transfers.length === 0) return html`<p class="soft">You have no payouts yet.</p>`;
  const items = transfers.map((transfer) => {
    const amount = formats.money(transfer.amountMinor, transfer.currency);
    const when = `${formats.day(transfer.paidAt ?? transfer.createdAt)} · ${nameMethod(transfer.method)}`;
    return rowOf(html`<strong>${amount}</strong>`, when, describeTransfer(transfer));
  });
  return html`<ol class="rows">${items}</ol>`;
}

const TYPES: Readonly<Record<NonNullable<PayoutDetails['type']>, string>> = {
  bank: 'Bank account',
  paypal: 'PayPal',
  wise: 'Wise',
  stripe_connect: 'Stripe',
};

/** The partner's payout details, masked, with their state. */
export function describeDetails(details: PayoutDetails, formats: Formats): Html {
  const { type, label, status, updatedAt } = details;
  if (type === null || label === null || updatedAt === null) {
    return html`<p>Add your payout details. You cannot be paid without them.</p>`;
  }
  const shown = html`<p><strong>${TYPES[type]}</strong> ${label}</p>`;
  if (status === 'cooling_down') {
    const from = formats.time(addMs(updatedAt, COOLING_MS));
    return html`${shown}<p class="soft">For your safety, these details are used from ${from} on. Until then, payouts use your previous details.</p>`;
  }
  if (status === 'needs_update') {
    return html`${shown}<p class="note">A payout to these details failed. Check them, or enter others.</p>`;
  }
  return html`${shown}<p class="soft">Saved on ${formats.day(updatedAt)}.</p>`;
}

function detailsCard({ root }: Frame, details: PayoutDetails, formats: Formats): Html {
  return html`<section class="card" aria-labelledby="details">
<h2 id="details">Payout details</h2>
${describeDetails(details, formats)}
<p><a class="button${details.configured ? ' quiet' : ''}" href="${root}/details">${details.configured ? 'Change' : 'Add payout details'}</a></p>
</section>`;
}

/** One page of all rewards or payouts. `content` is markup. */
export function listPage(
  frame: Frame,
  title: string,
  content: Html,
  paths: { readonly here: string; readonly next: string | null; readonly isFirst: boolean },
): string {
  const { root } = frame;
  return widePage(
    frame,
    title,
    html`<p><a href="${root}">Back to the overview</a></p>
<h1>${title}</h1>
${suspendedNotice(frame.partner.status)}
<section class="card" aria-label="${title}">
${content}
</section>
<nav class="between" aria-label="Pages">
${paths.isFirst ? html`<span></span>` : html`<a href="${root}/${paths.here}">Newest</a>`}
${paths.next === null ? '' : html`<a href="${root}/${paths.here}?after=${paths.next}" rel="next">Older</a>`}
</nav>`,
    true,
  );
}
