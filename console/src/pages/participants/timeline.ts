import type { Row } from '../../api/client.ts';
import { exponentOf } from '../../ui/currencies.ts';
import { formatMinor } from '../../ui/money.tsx';
import type { Tone } from '../../ui/status-badge.tsx';
import { wordEvent } from '../events/reasons.ts';
import { FAILURE_REASONS } from '../payouts/states.ts';
import { eventTitle } from '../people/event-words.ts';
import type { ParticipantDetail } from '../people/queries.ts';
import { benefitText } from '../people/reward-benefit.ts';
import { voidReasonLabel } from '../rewards/reward-actions.ts';
import { roleName } from '../rewards/reward-filters.ts';

type Reward = Row<'/v1/rewards'>;
type Payout = Row<'/v1/payouts'>;
type Adjustment = Row<'/v1/reward-adjustments'>;

export interface Moment {
  readonly key: string;
  readonly at: string;
  readonly kind: 'signup' | 'purchase' | 'event' | 'referral' | 'reward' | 'payout' | 'self';
  readonly tone: Tone;
  readonly title: string;
  readonly detail?: string;
  /** The object of the entry, with a type of `placeOf`. */
  readonly about?: { readonly type: string; readonly id: string };
  /** The program in the title. */
  readonly programId?: string;
  /** Another person who took part. */
  readonly person?: { readonly before: string; readonly id: string };
}

interface Story {
  readonly detail: ParticipantDetail;
  readonly rewards: readonly Reward[];
  readonly payouts: readonly Payout[];
  readonly adjustments: readonly Adjustment[];
}

/** Everything that happened to a participant, newest first. */
export function timelineOf({ detail, rewards, payouts, adjustments }: Story): Moment[] {
  const { participant } = detail;
  const moments: Moment[] = [
    { key: 'first', at: participant.createdAt, kind: 'self', tone: 'plain', title: 'First seen' },
    ...detail.events.map(eventMoment),
    ...referralMoments(detail),
    ...rewards.flatMap(rewardMoments),
    ...adjustmentMoments(rewards, adjustments),
    ...payouts.flatMap(payoutMoments),
    ...enrollmentMoments(detail),
  ];
  if (participant.deletedAt) {
    moments.push({
      key: 'erased',
      at: participant.deletedAt,
      kind: 'self',
      tone: 'over',
      title: 'Erased',
      detail: 'Name, e-mail and ids are gone; facts stay under an opaque id.',
    });
  }
  return moments.sort((one, other) => compare(other.at, one.at) || compare(other.key, one.key));
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function eventMoment(event: ParticipantDetail['events'][number]): Moment {
  const { tone, label } = wordEvent(event);
  const kind = event.type === 'signup' || event.type === 'purchase' ? event.type : 'event';
  const title = event.type === 'signup' ? 'Signed up' : eventTitle(event);
  const about = { type: 'event', id: event.id };
  return { key: event.id, at: event.occurredAt, kind, tone, title, detail: label, about };
}

function referralMoments({ referredBy, referrals }: ParticipantDetail): Moment[] {
  const moment = (referral: (typeof referrals)[number], title: string, other: string): Moment => ({
    key: referral.id,
    at: referral.bindingOccurredAt,
    kind: 'referral',
    tone: 'good',
    title,
    about: { type: 'referral', id: referral.id },
    person: { before: title === 'Was referred' ? 'by' : '', id: other },
  });
  return [
    ...(referredBy ? [moment(referredBy, 'Was referred', referredBy.referrerParticipantId)] : []),
    ...referrals.map((one) => moment(one, 'Referred', one.refereeParticipantId)),
  ];
}

function rewardMoments(reward: Reward): Moment[] {
  const about = { type: 'reward', id: reward.id };
  const worth = benefitText(
    reward.money
      ? { ...reward, money: { ...reward.money, netAmountMinor: reward.money.amountMinor } }
      : reward,
  );
  const moment = (
    step: string,
    at: string,
    { tone, title, detail }: { tone: Tone; title: string; detail?: string | undefined },
  ): Moment => ({
    key: `${reward.id} ${step}`,
    at,
    kind: 'reward',
    tone,
    title,
    about,
    ...(detail ? { detail } : {}),
  });
  const { fulfillment, revocation, void: voided } = reward;
  const role = reward.beneficiaryRole;
  const steps = [
    moment('1', reward.earnedAt, {
      tone: 'waits',
      title: `Earned ${worth}`,
      detail: role === 'subject' ? undefined : `As the ${roleName(role)}`,
    }),
  ];
  if (fulfillment) {
    const verb = reward.benefitKind === 'cash' ? 'paid' : 'granted';
    const detail = `Reference ${fulfillment.externalReference}`;
    const title = `${worth} ${verb}`;
    steps.push(moment('2', fulfillment.occurredAt, { tone: 'good', title, detail }));
  }
  if (voided) {
    const detail = [voidReasonLabel(voided.reasonCode), voided.reason].filter(Boolean).join(': ');
    steps.push(moment('3', voided.voidedAt, { tone: 'bad', title: `${worth} voided`, detail }));
  }
  if (revocation) {
    const detail = `Reference ${revocation.externalReference}`;
    const title = `${worth} taken back`;
    steps.push(moment('4', revocation.occurredAt, { tone: 'over', title, detail }));
  }
  return steps;
}

function adjustmentMoments(
  rewards: readonly Reward[],
  adjustments: readonly Adjustment[],
): Moment[] {
  const theirs = new Map(rewards.map((reward) => [reward.id, reward]));
  return adjustments.map((adjustment) => {
    const { currency, rewardId } = adjustment;
    // The reward itself may be older than those that were loaded.
    const exponent = theirs.get(rewardId)?.money?.currencyExponent ?? exponentOf(currency) ?? 2;
    const isLess = adjustment.signedAmountMinor.startsWith('-');
    const amount = formatMinor(adjustment.signedAmountMinor.replace('-', ''), currency, exponent);
    return {
      key: adjustment.id,
      at: adjustment.createdAt,
      kind: 'reward',
      tone: isLess ? 'care' : 'good',
      title: `Reward ${isLess ? 'reduced' : 'restored'} by ${amount}`,
      detail: isLess ? 'A refund or dispute' : 'A refund or dispute was undone',
      about: { type: 'reward', id: rewardId },
    } satisfies Moment;
  });
}

/**
 * The API does not say when a payout failed or was returned. Its outcome is shown at the last known
 * time, so that no entry suggests that they kept the money.
 */
function payoutMoments(payout: Payout): Moment[] {
  const { status, failureReason, paidAt, createdAt } = payout;
  const amount = formatMinor(payout.amountMinor, payout.currency, payout.currencyExponent);
  const why = failureReason ? `: ${FAILURE_REASONS[failureReason]}` : '';
  const ends: Partial<Record<Payout['status'], { words: string; tone: Tone }>> = {
    failed: { words: `Failed${why}`, tone: 'bad' },
    returned: { words: `The money was returned${why}`, tone: 'bad' },
    cancelled: { words: 'Cancelled', tone: 'over' },
  };
  const end = ends[status];
  const moment = (
    step: string,
    at: string,
    { tone, title, isLast }: { tone: Tone; title: string; isLast: boolean },
  ): Moment => ({
    key: `${payout.id} ${step}`,
    at,
    kind: 'payout',
    tone: isLast && end ? end.tone : tone,
    title,
    ...(isLast && end ? { detail: end.words } : {}),
    about: { type: 'payout', id: payout.id },
  });
  const drawnUp = moment('1', createdAt, {
    tone: 'plain',
    title: `Payout of ${amount} created`,
    isLast: !paidAt,
  });
  if (!paidAt) return [drawnUp];
  const title = `Payout of ${amount} paid`;
  return [drawnUp, moment('2', paidAt, { tone: 'good', title, isLast: true })];
}

function enrollmentMoments({ enrollments }: ParticipantDetail): Moment[] {
  return enrollments.flatMap(({ id, programId, startsAt, endsAt }) => {
    const started: Moment = {
      key: `${id} 1`,
      at: startsAt,
      kind: 'self',
      tone: 'plain',
      title: 'Joined',
      programId,
    };
    return endsAt
      ? [started, { ...started, key: `${id} 2`, at: endsAt, tone: 'over', title: 'Left' }]
      : [started];
  });
}
