import type { components } from '@goodword/sdk';

type Schemas = components['schemas'];
type RejectReason = NonNullable<Schemas['Candidate']['reason']>;
type SkipReason = NonNullable<Schemas['Explanation']['rules'][number]['reason']>;
type ProcessingReason = Schemas['Event']['processingReason'];

/** Why a click or a code did not become the referral. */
const REJECTS: Readonly<Record<RejectReason, string>> = {
  outside_window: 'it is outside the attribution window',
  self_referral:
    'the referrer is the person who signed up, their group, or another group of its creator',
  existing_customer:
    'they are already a customer: they had paid for something that was not refunded',
  program_not_active: 'its program was not active at that time',
  enrollment_not_active: 'the referrer was not enrolled in the program at that time',
  referrer_unavailable: 'the referrer was erased, or is a partner who is suspended',
  awaiting_subscription: 'its program waits for a subscription to start',
  not_applicable: 'its program binds at signup, not when a subscription starts',
  outranked: 'another one took precedence: a typed code before clicks, then as the policy says',
  already_referred: 'they already had a referral, and a person has only one',
};

/** Why a rule gave nothing. */
const SKIPS: Readonly<Record<SkipReason, string>> = {
  no_referral: 'nobody referred this person in time',
  terms_not_effective: 'none of its terms had taken effect',
  terms_disabled: 'its terms at that time turn it off',
  duration_over: 'it earns for a number of months from the first reward, and these had passed',
  cap_reached: 'the beneficiary already had as many of its rewards as its terms allow',
  zero_amount: 'the amount is zero',
  step_without_reward: 'what the step that was reached gives rounds to zero',
  amount_missing: 'it gives a share of the purchase, and the event has no amount',
  enrollment_not_active: 'the beneficiary was not enrolled at that time',
  referrer_unavailable: 'the referrer is a partner who is suspended',
  referral_rejected: 'its referral was reviewed and rejected',
  program_not_active: 'the program had not started, or had ended',
  already_earned: 'it gives its reward only once, and had already given it',
  condition_not_met: 'a condition of its terms did not hold',
  milestone_not_reached: 'its milestone was not reached yet',
  milestone_passed: 'its milestone was passed before, when it could not be earned',
};

/** The state of an event. */
const EVENTS: Readonly<Record<Exclude<ProcessingReason, RejectReason> | 'not_applicable', string>> =
  {
    attributed: 'It belongs to a referral.',
    no_candidate: 'No click and no valid code led to it.',
    no_referral: 'The participant has no referral.',
    no_signup: 'The participant’s signup did not arrive in time.',
    not_applicable: 'A custom event: it creates no referral.',
    awaiting_attribution:
      'It arrived before the signup or the start of the subscription, and waits up to a day for that.',
    retry_scheduled: 'Something went wrong inside the service; it is retried automatically.',
    attempts_exhausted:
      'Something went wrong inside the service repeatedly. See its log, then: goodword events retry',
    duplicate_invoice: 'Its invoice was already rewarded in another event.',
  };

export const wordReject = (reason: string | null): string => wordFrom(REJECTS, reason);
export const wordSkip = (reason: string | null): string => wordFrom(SKIPS, reason);

export function wordEvent(reason: string): string {
  if (Object.hasOwn(EVENTS, reason)) return wordFrom(EVENTS, reason);
  if (Object.hasOwn(REJECTS, reason)) return `Nobody was credited: ${wordReject(reason)}.`;
  return `Its reason is ${reason}.`;
}

/** An unknown reason of a newer service is shown by its own name. */
function wordFrom(words: Readonly<Record<string, string>>, reason: string | null): string {
  const known = reason !== null && Object.hasOwn(words, reason) ? words[reason] : undefined;
  return known ?? reason ?? 'unknown';
}
