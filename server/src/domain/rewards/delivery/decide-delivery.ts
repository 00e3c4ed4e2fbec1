import { backoffMs } from '../../../platform/kit/backoff.ts';
import {
  addMs,
  DAY_MS,
  HOUR_MS,
  type Instant,
  laterOf,
  MINUTE_MS,
} from '../../../platform/kit/instant.ts';
import type { Moment } from '../decide/reward-decision.ts';
import {
  type DeliveryReason,
  type FulfillmentStatus,
  isServiceMethod,
  type RewardTrigger,
  type ServiceMethod,
  transition,
} from '../decide/states.ts';
import { amountDueOf, countsAsGiven, type RewardRow, targetOf, withDelivery } from '../reward.ts';

/** The steps for a Reward: grant it, adjust what was given to what is owed, take it back. */
export type DeliveryStep = 'grant' | 'correct' | 'take_back';

interface DeliveryIntent {
  readonly step: DeliveryStep;
  /** Added to what the beneficiary has; 0 if it is not money. */
  readonly amountMinor: bigint;
  readonly account: string;
  /** In real time. */
  readonly intendedAt: Instant;
}

/** Progress of a Reward's delivery; see migration 0018. */
export interface DeliveryRow {
  readonly rewardId: string;
  readonly participantId: string;
  readonly method: ServiceMethod;
  readonly account: string | null;
  readonly attempt: number;
  readonly tries: number;
  readonly dueAt: Instant | null;
  readonly waitsForAccount: boolean;
  readonly leaseId: string | null;
  readonly leasedUntil: Instant | null;
  readonly intent: DeliveryIntent | null;
  readonly isAnswered: boolean;
}

/** How long to wait if the provider denies access to the account. */
export const LOCKED_OUT_WAIT_MS = 10 * MINUTE_MS;

/** Failed calls in a row before an operator has to look. */
export const TRIES_MAX = 10;

/**
 * Doubles from a minute to an hour. The first wait is longer than any call can take: by then a call
 * without a response is over.
 */
export function waitAfter(tries: number): number {
  return backoffMs(tries, MINUTE_MS, HOUR_MS);
}

/** The service's next step for a Reward, now or once its hold is over. */
export function nextStep(row: RewardRow): DeliveryStep | null {
  if (!isServiceMethod(row.method)) return null;
  switch (row.fulfillmentStatus) {
    case 'pending':
      return row.isDisputed || row.isUnderReview ? null : 'grant';
    case 'fulfilled':
      return row.amountMinor !== null && isToCorrect(row) ? 'correct' : null;
    case 'revocation_pending':
      return 'take_back';
    default:
      return null;
  }
}

/** During a review nothing is added, but what is no longer owed is taken back. */
function isToCorrect(row: RewardRow): boolean {
  const due = amountDueOf(row);
  return due < 0n || (due > 0n && !row.isUnderReview);
}

/** When the step is due, by the Project's clock. Only a grant can be on hold. */
export function stepDueAt(row: RewardRow, now: Instant): Instant | null {
  const step = nextStep(row);
  if (step === null) return null;
  return step === 'grant' ? row.availableAt : now;
}

function move(row: RewardRow, trigger: RewardTrigger): FulfillmentStatus {
  const to = transition(row.fulfillmentStatus, trigger);
  if (!to) throw new Error(`Reward ${row.id} cannot ${trigger} from ${row.fulfillmentStatus}.`);
  return to;
}

export interface Prepared {
  readonly reward: RewardRow;
  readonly delivery: DeliveryRow;
  readonly isRevoked: boolean;
}

/** Context of a due delivery. */
export interface DeliveryContext {
  /** The beneficiary's account; null if they have none. */
  readonly account: string | null;
  /** When another delivery of theirs, which is in progress, is checked again; null if there is none. */
  readonly busyUntil: Instant | null;
  carriable(amountMinor: bigint, currency: string): bigint;
}

const BUSY_WAIT_MS = 5_000;

/**
 * Turns a due delivery into an intent, which must be committed before the provider is called; or
 * records what it waits for. The delivery has no intent yet.
 */
export function prepareDelivery(
  row: RewardRow,
  delivery: DeliveryRow,
  { account: theirs, busyUntil, carriable }: DeliveryContext,
  moment: Moment & { readonly realNow: Instant },
): Prepared {
  const { now, realNow } = moment;
  const rest = (changes: Partial<DeliveryRow>): DeliveryRow => {
    return { ...delivery, ...FREE, dueAt: null, waitsForAccount: false, ...changes };
  };
  const dueAt = stepDueAt(row, now);
  const step = nextStep(row);
  if (step === null || dueAt === null) {
    return { reward: row, delivery: rest({}), isRevoked: false };
  }
  if (now < dueAt) return { reward: row, delivery: rest({ dueAt }), isRevoked: false };
  const isMoney = row.amountMinor !== null;
  if (step === 'take_back' && isMoney && row.paidMinor === 0n) {
    // A refund has already taken back all of it.
    return { reward: revoke(row, row.id, moment), delivery: rest({}), isRevoked: true };
  }
  const amountMinor = isMoney ? amountOf(row, step, carriable) : 0n;
  // This is as close as the provider can get to what is owed.
  if (step === 'correct' && amountMinor === 0n) {
    return { reward: row, delivery: rest({}), isRevoked: false };
  }
  const account = step === 'grant' ? theirs : delivery.account;
  if (account === null) {
    const waits = step === 'grant';
    return {
      reward: waits ? withReason(row, 'awaiting_billing_account', now) : row,
      delivery: rest({ waitsForAccount: waits }),
      isRevoked: false,
    };
  }
  if (busyUntil !== null) {
    const later = rest({ dueAt: laterOf(busyUntil, addMs(now, BUSY_WAIT_MS)) });
    return { reward: row, delivery: later, isRevoked: false };
  }
  const reward: RewardRow =
    step === 'grant'
      ? withDelivery({ ...row, fulfillmentStatus: move(row, 'submit'), updatedAt: now }, now)
      : row;
  return {
    reward,
    delivery: {
      ...delivery,
      account,
      dueAt: now,
      waitsForAccount: false,
      intent: { step, amountMinor, account, intendedAt: realNow },
      isAnswered: false,
    },
    isRevoked: false,
  };
}

/** The difference to what they should have, as far as the provider can carry it. */
function amountOf(
  row: RewardRow,
  step: DeliveryStep,
  carriable: DeliveryContext['carriable'],
): bigint {
  if (step === 'take_back') return -row.paidMinor;
  const amountMinor = carriable(targetOf(row), row.currency ?? '') - row.paidMinor;
  // An amount that cannot be carried at all is sent to the provider unchanged, to be refused.
  return step === 'grant' && amountMinor === 0n ? amountDueOf(row) : amountMinor;
}

const FREE = { leaseId: null, leasedUntil: null } as const;

/** The same row if it already has this reason. */
function withReason(row: RewardRow, deliveryReason: DeliveryReason, now: Instant): RewardRow {
  if (row.deliveryReason === deliveryReason) return row;
  return withDelivery({ ...row, deliveryReason, updatedAt: now }, now);
}

/** It was taken back although a restoration arrived meanwhile: it must be granted again. */
function owe(row: RewardRow): RewardRow {
  return {
    ...row,
    fulfillmentStatus: move(row, 'return_owed'),
    fulfillment: null,
    providerReference: null,
  };
}

function revoke(row: RewardRow, externalReference: string, { now, newId }: Moment): RewardRow {
  const revoked: RewardRow = {
    ...row,
    fulfillmentStatus: move(row, 'record_revocation'),
    revocation: { id: newId('rev'), externalReference, occurredAt: now, actor: 'service' },
    updatedAt: now,
  };
  return withDelivery(revoked, now);
}

/**
 * Outcome of a call. `none`: asked about an earlier call, the provider found nothing. `begun`: it
 * did part of it. `locked_out`: the provider denies access, so it was not done. `isUncounted`:
 * nobody could ask.
 */
export type DeliveryOutcome =
  | { readonly state: 'delivered'; readonly reference: string }
  | { readonly state: 'refused' | 'retry' | 'none' | 'begun' | 'locked_out' }
  | { readonly state: 'unknown'; readonly isAnswered: boolean; readonly isUncounted?: true };

/**
 * The outcome of a repeated call for an order that an earlier call may have carried out, or still
 * may: that this call did nothing says nothing about the earlier one.
 */
export function afterEarlierCall(outcome: DeliveryOutcome): DeliveryOutcome {
  switch (outcome.state) {
    case 'refused':
    case 'retry':
      return { state: 'unknown', isAnswered: false };
    case 'locked_out':
      return { state: 'unknown', isAnswered: false, isUncounted: true };
    default:
      return outcome;
  }
}

export interface DeliveryLine {
  readonly rewardId: string;
  readonly attempt: number;
  readonly step: DeliveryStep;
  readonly amountMinor: bigint;
  readonly reference: string;
  /** The reference of the advance that it uses; null if it was ordered. */
  readonly advance: string | null;
  readonly settledAt: Instant;
}

export interface Settled {
  readonly reward: RewardRow;
  readonly delivery: DeliveryRow;
  readonly line: DeliveryLine | null;
  readonly news: 'reward.fulfilled' | 'reward.revoked' | null;
  /** Whether to send the same order again, with the same key. */
  readonly resends: boolean;
}

/** Applies the outcome of a call to a Reward and its delivery, which has an intent. */
export function settleDelivery(
  row: RewardRow,
  delivery: DeliveryRow,
  outcome: DeliveryOutcome,
  moment: Moment,
): Settled {
  const { intent, attempt } = delivery;
  if (!intent) throw new Error(`No delivery of Reward ${row.id} is in progress.`);
  const { now } = moment;
  const isCounted = outcome.state !== 'locked_out' && !('isUncounted' in outcome);
  const tries = delivery.tries + (isCounted ? 1 : 0);
  const waitMs = isCounted ? waitAfter(tries) : LOCKED_OUT_WAIT_MS;
  switch (outcome.state) {
    case 'delivered':
      return confirm(row, delivery, { ...intent, reference: outcome.reference }, moment);
    case 'unknown':
      return {
        ...unchanged(row),
        delivery: {
          ...delivery,
          ...FREE,
          tries,
          isAnswered: delivery.isAnswered || outcome.isAnswered,
          dueAt: addMs(now, waitMs),
        },
      };
    case 'none':
      // Only an order that may still reach the provider keeps its key.
      if (isWorthResending(row, delivery)) {
        return { ...unchanged(row), delivery: { ...delivery, tries }, resends: true };
      }
      break;
    case 'begun': {
      // A partial step is neither granted nor taken back: it is completed, whatever happened
      // meanwhile.
      const isStuck = tries >= TRIES_MAX;
      return {
        ...unchanged(isStuck ? withReason(row, 'provider_error', now) : row),
        delivery: isStuck
          ? { ...delivery, ...FREE, tries: 0, dueAt: addMs(now, waitMs) }
          : { ...delivery, tries },
        resends: !isStuck,
      };
    }
    default:
  }
  const isFinal = outcome.state === 'refused';
  const isHopeless = isFinal || (isCounted && tries >= TRIES_MAX);
  const reason = isFinal ? 'provider_rejected' : 'provider_error';
  const reward =
    intent.step === 'grant' ? fail(row, isHopeless, reason, now) : withReason(row, reason, now);
  const isOver = reward.fulfillmentStatus !== 'pending' && intent.step === 'grant';
  return {
    ...unchanged(reward),
    delivery: {
      ...withoutIntent(delivery),
      attempt: attempt + 1,
      tries: isOver ? 0 : tries,
      dueAt: nextStep(reward) === null ? null : addMs(now, isHopeless ? DAY_MS : waitMs),
    },
  };
}

/** Clears an erased person's account once nothing is left to do there, or the provider refuses. */
export function forgetErased(
  delivery: DeliveryRow,
  erased: ReadonlySet<string>,
  outcome?: DeliveryOutcome,
): DeliveryRow {
  if (!erased.has(delivery.participantId) || delivery.intent) return delivery;
  if (delivery.dueAt !== null && outcome?.state !== 'refused') return delivery;
  return { ...delivery, account: null, dueAt: null };
}

function unchanged(reward: RewardRow): Pick<Settled, 'reward' | 'line' | 'news' | 'resends'> {
  return { reward, line: null, news: null, resends: false };
}

function withoutIntent(delivery: DeliveryRow): DeliveryRow {
  return { ...delivery, ...FREE, intent: null, isAnswered: false };
}

function isWorthResending(row: RewardRow, { intent, isAnswered, tries }: DeliveryRow): boolean {
  if (isAnswered || tries >= TRIES_MAX) return false;
  switch (intent?.step) {
    case 'grant':
      return countsAsGiven(row) && !row.isDisputed && !row.isUnderReview;
    case 'take_back':
      return row.void !== null;
    default:
      return true;
  }
}

/** Applies to a Reward that a provider did what its delivery intended. */
export function confirm(
  row: RewardRow,
  delivery: DeliveryRow,
  { step, amountMinor, reference }: DeliveryIntent & { readonly reference: string },
  moment: Moment,
): Settled {
  const { now, newId } = moment;
  const paidMinor = row.paidMinor + amountMinor;
  const paid: RewardRow = { ...row, paidMinor, deliveryReason: null, updatedAt: now };
  const { attempt } = delivery;
  let reward = paid;
  const isOwedAgain = step === 'take_back' && row.void === null;
  if (isOwedAgain) reward = owe(paid);
  else if (step === 'take_back') reward = revoke(paid, reference, moment);
  else if (step === 'grant') {
    reward = {
      ...paid,
      fulfillmentStatus: move(row, row.void === null ? 'confirm' : 'confirm_voided'),
      providerReference: reference,
      fulfillment: {
        id: newId('ful'),
        externalReference: reference,
        occurredAt: now,
        actor: 'service',
      },
    };
  }
  reward = withDelivery(reward, now);
  return {
    reward,
    delivery: {
      ...withoutIntent(delivery),
      attempt: attempt + 1,
      tries: 0,
      dueAt: stepDueAt(reward, now),
    },
    line: {
      rewardId: row.id,
      attempt,
      step,
      amountMinor,
      reference,
      advance: null,
      settledAt: now,
    },
    news: isOwedAgain ? null : NEWS[step],
    resends: false,
  };
}

const NEWS: Readonly<Record<DeliveryStep, Settled['news']>> = {
  grant: 'reward.fulfilled',
  correct: null,
  take_back: 'reward.revoked',
};

/** A grant that certainly did not happen becomes pending again, unless nothing is owed or retrying is hopeless. */
function fail(
  row: RewardRow,
  isHopeless: boolean,
  deliveryReason: DeliveryReason,
  now: Instant,
): RewardRow {
  let trigger: RewardTrigger = 'release';
  if (!countsAsGiven(row)) trigger = 'release_unowed';
  else if (isHopeless) trigger = 'refuse';
  const fulfillmentStatus = move(row, trigger);
  const failed: RewardRow = { ...row, fulfillmentStatus, deliveryReason, updatedAt: now };
  return withDelivery(failed, now);
}
