import type { components } from '@goodword/sdk';

type Schemas = components['schemas'];
type RejectReason = NonNullable<Schemas['Candidate']['reason']>;
type SkipReason = NonNullable<Schemas['Explanation']['rules'][number]['reason']>;
type ProcessingReason = Schemas['Event']['processingReason'];

/** Why a click or a code did not become the referral. */
const REJECTS: Readonly<Record<RejectReason, string>> = {
  outside_window: 'it lies outside the window in which a click or a code counts',
  self_referral:
    'the referrer is the person who signed up, their group, or another group of its creator',
  existing_customer:
    'they had paid for something that was not refunded, and a customer cannot be referred any more',
  program_not_active: 'its program was not active at that time',
  enrollment_not_active: 'the referrer was not enrolled in the program at that time',
  referrer_unavailable: 'the referrer was erased, or is a partner who is suspended',
  awaiting_subscription: 'its program waits for a subscription to begin',
  not_applicable: 'its program binds at signup, not when a subscription begins',
  outranked: 'another one came first: a typed code before a click, then as the policy says',
  already_referred: 'they had a referral already, and a person has one',
};

/** Why a rule gave nothing. */
const SKIPS: Readonly<Record<SkipReason, string>> = {
  no_referral: 'nobody referred this person in time',
  terms_not_effective: 'none of its terms had taken effect',
  terms_disabled: 'its terms at that time switch it off',
  duration_over: 'it earns for some months from the first reward, and they had passed',
  cap_reached: 'the beneficiary had as many of its rewards as its terms allow',
  zero_amount: 'the amount came to nothing',
  amount_missing: 'it takes a share of the purchase, and the event has no amount',
  enrollment_not_active: 'the beneficiary was not enrolled at that time',
  referrer_unavailable: 'the referrer is a partner who is suspended',
  program_not_active: 'the program had not begun, or was over',
  already_earned: 'it gives its reward once, and had given it',
};

/** The state of an event. */
const EVENTS: Readonly<Record<Exclude<ProcessingReason, RejectReason> | 'not_applicable', string>> =
  {
    attributed: 'It belongs to a referral.',
    no_candidate: 'No click and no valid code led to it.',
    no_referral: 'Its person came without a referral.',
    no_signup: 'No signup of its person came in time.',
    not_applicable: 'A fact of your own: it makes no referral.',
    awaiting_attribution:
      'It came before its person signed up or their subscription started, and waits for that for a day.',
    retry_scheduled: 'Something went wrong inside the service; it is tried again by itself.',
    attempts_exhausted:
      'Something went wrong inside the service, again and again. See its log, then: goodword events retry',
    duplicate_invoice: 'Its invoice was rewarded before, in another event.',
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
