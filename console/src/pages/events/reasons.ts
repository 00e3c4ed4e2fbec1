import type { Tone } from '../../ui/status-badge.tsx';
import { humanize } from '../../ui/words.ts';

/** A short name, and a sentence that explains it. */
export interface Worded {
  readonly label: string;
  readonly sentence: string;
}

/** Why a click or a code did not become the referral. */
const CANDIDATES: Readonly<Record<string, Worded>> = {
  outside_window: {
    label: 'Too old',
    sentence:
      'The click or code came before the attribution window began, or after this happened. The program’s policy says how long one counts.',
  },
  self_referral: {
    label: 'Own link',
    sentence:
      'The referrer is the same person, the creator of the group, or a group with the same creator.',
  },
  existing_customer: {
    label: 'Already a customer',
    sentence:
      'They had paid for something before and it was not refunded in full: a customer cannot be referred.',
  },
  program_not_active: {
    label: 'Program not active',
    sentence: 'The program of this link was not active at that time.',
  },
  enrollment_not_active: {
    label: 'Referrer not enrolled',
    sentence: 'The referrer was not enrolled in the program at that time.',
  },
  referrer_unavailable: {
    label: 'Referrer gone or suspended',
    sentence: 'The referrer was erased, or is a partner who is suspended.',
  },
  awaiting_subscription: {
    label: 'Waiting for a subscription',
    sentence:
      'This program binds referrals when a subscription starts, not at signup. It counts if one does within the window.',
  },
  not_applicable: {
    label: 'Binds at signup',
    sentence:
      'This program binds referrals at signup, so the start of a subscription does not count.',
  },
  already_referred: {
    label: 'Referred before',
    sentence: 'They already had a referral, and a person has only one.',
  },
  outranked: {
    label: 'Another one won',
    sentence:
      'It was valid, but another one took precedence. A typed code takes precedence over clicks; the program’s policy says whether the first or the last click wins.',
  },
};

/** Why a rule gave no reward. */
const SKIPS: Readonly<Record<string, Worded>> = {
  no_referral: {
    label: 'No referral',
    sentence:
      'Nobody referred this person, or the purchase happened more than a day before the referral.',
  },
  terms_not_effective: {
    label: 'Terms not in effect yet',
    sentence: 'No version of the rule’s terms had taken effect when this happened.',
  },
  terms_disabled: {
    label: 'Rule turned off',
    sentence: 'The rule was turned off by its terms at that time.',
  },
  referral_rejected: {
    label: 'Referral rejected',
    sentence: 'The referral was rejected in a review, so it earns nothing more.',
  },
  duration_over: {
    label: 'Earning period over',
    sentence:
      'The rule earns for a number of months from its first reward, and that time had passed.',
  },
  cap_reached: {
    label: 'Limit reached',
    sentence: 'They already have as many rewards of this rule as its terms allow.',
  },
  zero_amount: {
    label: 'Nothing to give',
    sentence: 'The purchase was for nothing, or the share of it rounds to zero.',
  },
  step_without_reward: {
    label: 'Nothing at this step',
    sentence: 'What the step that was reached gives for this purchase rounds to zero.',
  },
  amount_missing: {
    label: 'Amount unknown',
    sentence: 'The rule gives a share of the purchase, but the event was sent without an amount.',
  },
  currency_unsupported: {
    label: 'Currency not supported',
    sentence: 'The rule cannot reward purchases in this currency.',
  },
  enrollment_not_active: {
    label: 'Not enrolled',
    sentence: 'The beneficiary was not enrolled in the program at that time.',
  },
  referrer_unavailable: {
    label: 'Partner suspended',
    sentence: 'The referrer is a suspended partner and earns nothing during the suspension.',
  },
  program_not_active: {
    label: 'Program not active',
    sentence: 'The program had not begun, or had ended, when this happened.',
  },
  already_earned: {
    label: 'Earned before',
    sentence: 'The rule gives its reward only once, and it was already given.',
  },
  condition_not_met: {
    label: 'Condition not met',
    sentence: 'The terms have a condition that this event does not meet.',
  },
  milestone_not_reached: {
    label: 'Milestone not reached',
    sentence: 'The rule gives its reward at a milestone that is not reached yet.',
  },
  milestone_passed: {
    label: 'Milestone passed before',
    sentence:
      'The milestone was passed before these terms, or by an event that could not earn. It is not earned later.',
  },
};

interface State extends Worded {
  readonly tone: Tone;
}

/** The meaning of an event's state and reason together. */
const EVENTS: Readonly<Record<string, State>> = {
  awaiting_attribution: {
    tone: 'waits',
    label: 'Waiting for a signup',
    sentence:
      'This purchase arrived before the signup or the start of the subscription. It is decided when that arrives, or after 24 hours.',
  },
  retry_scheduled: {
    tone: 'care',
    label: 'Will be tried again',
    sentence: 'Something went wrong inside the service. It will be retried automatically.',
  },
  attempts_exhausted: {
    tone: 'bad',
    label: 'Failed',
    sentence:
      'Something went wrong inside the service 20 times in a row. Fix the cause, then retry.',
  },
  attributed: {
    tone: 'good',
    label: 'Attributed',
    sentence: 'It belongs to a referral, so the referrer is known.',
  },
  no_candidate: {
    tone: 'plain',
    label: 'Nobody referred them',
    sentence: 'No click and no valid code led to this signup.',
  },
  no_referral: {
    tone: 'plain',
    label: 'No referral',
    sentence:
      'The person signed up without being referred, or their subscription did not start in time, so referral programs give nothing.',
  },
  no_signup: {
    tone: 'plain',
    label: 'No signup',
    sentence: 'This person’s signup did not arrive in time, so there is no referral.',
  },
  duplicate_invoice: {
    tone: 'plain',
    label: 'Same invoice again',
    sentence: 'This invoice was rewarded before, in an earlier event. It counts once.',
  },
  not_applicable: {
    tone: 'plain',
    label: 'Recorded',
    sentence: 'A custom event: it makes no referral, but its rules may give rewards.',
  },
};

/** The verdict on one candidate, in plain words. */
export function wordCandidate(verdict: string, reason: string | null): Worded {
  if (verdict === 'selected') {
    return {
      label: 'Selected',
      sentence: 'This one caused the signup and gets the referral.',
    };
  }
  return CANDIDATES[reason ?? ''] ?? unknown(reason);
}

/** The verdict on one rule, in plain words. */
export function wordRule(verdict: string, reason: string | null): Worded {
  if (verdict === 'earned') return { label: 'Earned', sentence: 'The rule gave a reward.' };
  return SKIPS[reason ?? ''] ?? unknown(reason);
}

/** The state of an event, and why. */
export function wordEvent(event: { processingState: string; processingReason: string }): State {
  const { processingState, processingReason } = event;
  const known = EVENTS[processingReason];
  if (known) return known;
  const rejected = CANDIDATES[processingReason];
  if (rejected) {
    return {
      tone: 'plain',
      label: rejected.label,
      sentence: `Not attributed. ${rejected.sentence}`,
    };
  }
  const tone = { pending: 'waits', failed: 'bad' } as const;
  return {
    tone: tone[processingState as keyof typeof tone] ?? 'plain',
    ...unknown(processingReason),
  };
}

const REF_CODES: Readonly<Record<string, string>> = {
  empty: 'The code was empty, so clicks decided.',
  too_long: 'The code is longer than any code can be, so clicks decided.',
  unknown: 'Nobody has this code, so clicks decided.',
  not_a_signup: 'Codes count only with a signup; this one was ignored.',
};

/** What happened to the code that was sent along. */
export const wordRefCode = ({ accepted, reason }: { accepted: boolean; reason: string | null }) =>
  accepted
    ? 'The code was applied, or waits for a subscription.'
    : (REF_CODES[reason ?? ''] ??
      (CANDIDATES[reason ?? '']
        ? `The code was not applied. ${CANDIDATES[reason ?? '']?.sentence}`
        : `The code was not applied: ${reason}.`));

const IDENTIFIES: Readonly<Record<string, string>> = {
  not_a_handle: 'This project has no such handle, so the browser stays unknown.',
  handle_already_identified: 'The handle already belongs to another participant.',
};

/** What happened to the browser's handle that was sent along. */
export const wordIdentify = (answer: { identified: boolean; identifyReason: string | null }) =>
  answer.identified
    ? 'The browser belongs to this participant, so its clicks were considered.'
    : (IDENTIFIES[answer.identifyReason ?? ''] ?? 'No handle was sent.');

function unknown(reason: string | null): Worded {
  return {
    label: humanize(reason ?? 'unknown'),
    sentence: 'This console cannot describe this reason yet. See the API reference.',
  };
}
