import type { MoneyTotals } from '../../domain/rewards/decide/reward-figures.ts';
import { COOLING_MS } from '../../outbound/payouts/details/decide-details-change.ts';
import type { PayoutDetails } from '../../outbound/payouts/details/details-schema.ts';
import type { Transfer } from '../../outbound/payouts/queries.ts';
import { escapeHtml } from '../../platform/http/server/escape-html.ts';
import { addMs } from '../../platform/kit/instant.ts';
import type { Formats } from './formats.ts';
import { type Frame, widePage } from './layout.ts';
import type { JoinedProgram } from './load-programs.ts';
import type { EarnedReward } from './load-rewards.ts';
import { describeTransfer, nameMethod } from './payout-words.ts';
import { describeBenefit, describeReward, type Words } from './reward-words.ts';

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
    `<h1>Your partner page</h1>
${overview.isSaved ? '<p class="note good" role="status">Your payout details are saved.</p>' : ''}
${suspendedNotice(partner.status)}
${overview.details.configured ? '' : `<p class="note">Nothing can be paid to you yet: <a href="${root}/details">add your payout details</a>.</p>`}
<div class="columns">
<div>
${totalsCard(overview.totals, formats)}
<section class="card" aria-labelledby="programs">
<h2 id="programs">What you share</h2>
${programs.length === 0 ? '<p class="soft">You are in no program at the moment.</p>' : `<div class="programs">${programs.map(programItem).join('\n')}</div>`}
</section>
<section class="card" aria-labelledby="rewards">
<h2 id="rewards">Rewards</h2>
${rewardList(rewards, partner.status === 'suspended', formats)}
${overview.hasMoreRewards ? `<p><a href="${root}/rewards">All rewards</a></p>` : ''}
</section>
</div>
<div>
${detailsCard(frame, overview.details, formats)}
<section class="card" aria-labelledby="payouts">
<h2 id="payouts">Payouts</h2>
${transferList(transfers, formats)}
${overview.hasMoreTransfers ? `<p><a href="${root}/payouts">All payouts</a></p>` : ''}
</section>
</div>
</div>`,
  );
}

export function suspendedNotice(status: Frame['partner']['status']): string {
  return status === 'suspended'
    ? '<p class="note" role="status"><strong>You are suspended.</strong> Your codes and links earn nothing at the moment, and nothing is paid. Ask who runs the program.</p>'
    : '';
}

function totalsCard(totals: readonly MoneyTotals[], formats: Formats): string {
  if (totals.length === 0) return '';
  const tile = (term: string, amountMinor: bigint, currency: string) =>
    `<div><dt>${term}</dt><dd>${escapeHtml(formats.money(amountMinor, currency))}</dd></div>`;
  const groups = totals.map(
    ({ currency, earnedMinor, paidMinor }) => `<dl class="totals">
${tile('Earned', earnedMinor, currency)}
${tile('Paid', paidMinor, currency)}
${tile('Still to come', earnedMinor - paidMinor, currency)}
</dl>`,
  );
  return `<section class="card" aria-labelledby="totals">
<h2 id="totals">Totals</h2>
${groups.join('\n')}
</section>`;
}

const STANDINGS: Readonly<Record<JoinedProgram['standing'], string | null>> = {
  open: null,
  paused: 'Paused: links lead on, but bring no new referrals.',
  over: 'Over: codes and links bring no new referrals any more.',
};

function programItem({ name, standing, codes, links }: JoinedProgram): string {
  const line = (text: string) => `<dd><code tabindex="0">${escapeHtml(text)}</code></dd>`;
  const note = STANDINGS[standing];
  return `<div class="program">
<h3>${escapeHtml(name)}</h3>
${note === null ? '' : `<p class="soft">${note}</p>`}
<dl class="share">
${links.length === 0 ? '' : `<dt>${links.length === 1 ? 'Your link' : 'Your links'}</dt>${links.map(line).join('')}`}
${codes.length === 0 ? '' : `<dt>${codes.length === 1 ? 'Your code' : 'Your codes'}</dt>${codes.map(line).join('')}`}
</dl>
</div>`;
}

function stateOf({ tone, label, note }: Words): { state: string; note: string } {
  return {
    state: `<span class="state ${tone}">${label}</span>`,
    note: note === null ? '' : `<span class="soft">${escapeHtml(note)}</span>`,
  };
}

/** One reward or payout: name, state, time, and a note. */
function rowOf(what: string, when: string, words: Words): string {
  const { state, note } = stateOf(words);
  return `<li><span>${what}</span>${state}<span class="soft when">${escapeHtml(when)}</span>${note}</li>`;
}

export function rewardList(
  rewards: readonly EarnedReward[],
  isSuspended: boolean,
  formats: Formats,
): string {
  if (rewards.length === 0) return '<p class="soft">You have earned nothing yet.</p>';
  const items = rewards.map(({ reward, programName }) => {
    const when = `${formats.day(reward.earnedAt)} · ${programName}`;
    const benefit = `<strong>${escapeHtml(describeBenefit(reward, formats))}</strong>`;
    const what = benefit + reducedFrom(reward.money, formats);
    return rowOf(what, when, describeReward(reward, isSuspended, formats));
  });
  return `<ol class="rows">${items.join('\n')}</ol>`;
}

function reducedFrom(money: EarnedReward['reward']['money'], formats: Formats): string {
  if (!money || money.amountMinor === money.netAmountMinor) return '';
  const before = formats.money(BigInt(money.amountMinor), money.currency);
  return ` <span>of ${escapeHtml(before)}, after a refund</span>`;
}

export function transferList(transfers: readonly Transfer[], formats: Formats): string {
  if (transfers.length === 0) return '<p class="soft">Nothing was paid to you yet.</p>';
  const items = transfers.map((transfer) => {
    const amount = formats.money(transfer.amountMinor, transfer.currency);
    const when = `${formats.day(transfer.paidAt ?? transfer.createdAt)} · ${nameMethod(transfer.method)}`;
    return rowOf(`<strong>${escapeHtml(amount)}</strong>`, when, describeTransfer(transfer));
  });
  return `<ol class="rows">${items.join('\n')}</ol>`;
}

const TYPES: Readonly<Record<NonNullable<PayoutDetails['type']>, string>> = {
  bank: 'Bank account',
  paypal: 'PayPal',
  wise: 'Wise',
  stripe_connect: 'Stripe',
};

/** The partner's payout details, masked, with their state. */
export function describeDetails(details: PayoutDetails, formats: Formats): string {
  const { type, label, status, updatedAt } = details;
  if (type === null || label === null || updatedAt === null) {
    return '<p>Tell us where to pay you. Without it nothing can be paid.</p>';
  }
  const shown = `<p><strong>${TYPES[type]}</strong> ${escapeHtml(label)}</p>`;
  if (status === 'cooling_down') {
    const from = formats.time(addMs(updatedAt, COOLING_MS));
    return `${shown}<p class="soft">Used from ${escapeHtml(from)} on, for your safety. Until then payouts go where they went before.</p>`;
  }
  if (status === 'needs_update') {
    return `${shown}<p class="note">A payout to these details failed. Check them, or enter others.</p>`;
  }
  return `${shown}<p class="soft">Saved on ${escapeHtml(formats.day(updatedAt))}.</p>`;
}

function detailsCard({ root }: Frame, details: PayoutDetails, formats: Formats): string {
  return `<section class="card" aria-labelledby="details">
<h2 id="details">Payout details</h2>
${describeDetails(details, formats)}
<p><a class="button${details.configured ? ' quiet' : ''}" href="${root}/details">${details.configured ? 'Change' : 'Add payout details'}</a></p>
</section>`;
}

/** One page of all rewards or payouts. `content` is markup. */
export function listPage(
  frame: Frame,
  title: string,
  content: string,
  paths: { readonly here: string; readonly next: string | null; readonly isFirst: boolean },
): string {
  const { root } = frame;
  return widePage(
    frame,
    title,
    `<p><a href="${root}">Back to the overview</a></p>
<h1>${title}</h1>
${suspendedNotice(frame.partner.status)}
<section class="card" aria-label="${title}">
${content}
</section>
<nav class="between" aria-label="Pages">
${paths.isFirst ? '<span></span>' : `<a href="${root}/${paths.here}">Newest</a>`}
${paths.next === null ? '' : `<a href="${root}/${paths.here}?after=${paths.next}" rel="next">Older</a>`}
</nav>`,
    true,
  );
}
