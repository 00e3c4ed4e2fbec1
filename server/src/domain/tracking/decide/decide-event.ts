import { count } from '../batch/count.ts';
import { conversionFiguresOf, eventFiguresOf } from '../batch/fact-figures.ts';
import type { Recorder } from '../batch/recorder.ts';
import type { ExplainedRule, Purchase, TrackedEvent, TrackSlice } from '../batch/slice.ts';
import type { Referral } from '../event-schema.ts';
import { attributionData, eventData } from '../read/event-data.ts';
import type { CreditReason } from '../read/reasons.ts';
import { announceEarned } from './announce-rewards.ts';
import { catchUp } from './apply-adjustment.ts';
import { rememberCredited, rememberCustomer } from './customers.ts';
import { type Credit, findCredit } from './find-credit.ts';
import { grantLoyaltyRewards, grantReferralRewards } from './grant-rewards.ts';

/** A purchase uses the referral there is; it never makes one. */
export function decidePurchase(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
): TrackedEvent {
  if (purchase?.duplicateOf) {
    const decided = settle(slice, recorder, event, 'duplicate_invoice', null, []);
    announce(recorder, decided, purchase, 'duplicate_invoice', null);
    return decided;
  }
  const credit = findCredit(slice, event);
  const { referral } = credit;
  const reason = purchaseReason(slice, event.participantId, credit);
  announce(recorder, event, purchase, reason, referral);
  rememberCustomer(slice.customers, event.participantId, purchase);
  if (referral && rememberCredited(slice.customers, referral.id)) {
    count(slice, recorder, conversionFiguresOf(referral));
  }
  // One that waited had its loyalty rules run when it came.
  const before = event.explanation?.rules;
  const loyalty = before
    ? earnRestored(slice, recorder, event, purchase, before)
    : earnAtReceipt(slice, recorder, event, purchase);
  const granted = referral ? grantReferralRewards(slice, recorder, event, purchase, referral) : [];
  announceGranted(slice, recorder, purchase, granted);
  const rules = [...granted, ...loyalty];
  return settle(slice, recorder, event, reason, referral, rules);
}

/** Loyalty asks for no referral, so it need not wait for one. */
export function earnAtReceipt(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
): ExplainedRule[] {
  const granted = grantLoyaltyRewards(slice, recorder, event, purchase);
  announceGranted(slice, recorder, purchase, granted);
  return granted;
}

/** What loyalty did not give at receipt because all was refunded by then, and may have been restored since. */
function earnRestored(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
  before: readonly ExplainedRule[],
): readonly ExplainedRule[] {
  const skipped = before.filter(({ reason }) => reason === 'zero_amount');
  if (skipped.length === 0) return before;
  const again = new Set(skipped.map(({ ruleId }) => ruleId));
  const granted = grantLoyaltyRewards(slice, recorder, event, purchase, again);
  announceGranted(slice, recorder, purchase, granted);
  const verdicts = new Map(granted.map((rule) => [rule.ruleId, rule]));
  return before.map((rule) => verdicts.get(rule.ruleId) ?? rule);
}

/** Something of the purchase may have gone back before it was decided: its Rewards follow that first. */
function announceGranted(
  slice: TrackSlice,
  recorder: Recorder,
  purchase: Purchase | null,
  granted: readonly ExplainedRule[],
): void {
  const earnedIds = new Set(granted.flatMap(({ rewardId }) => rewardId ?? []));
  if (purchase) catchUp(slice, recorder, purchase, earnedIds);
  announceEarned(slice, recorder, granted);
}

function purchaseReason(
  slice: TrackSlice,
  participantId: string,
  { referral, isSelf }: Credit,
): CreditReason {
  if (referral) return 'attributed';
  if (isSelf) return 'self_referral';
  return slice.signups.has(participantId) ? 'no_referral' : 'no_signup';
}

/** A fact of the caller's own making: its rules use the referral there is, and nothing waits. */
export function decideCustom(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
): TrackedEvent {
  recorder.announce('event.recorded', eventData(event, null, null));
  const { referral } = findCredit(slice, event);
  const rules = [
    ...(referral ? grantReferralRewards(slice, recorder, event, null, referral) : []),
    ...grantLoyaltyRewards(slice, recorder, event, null),
  ];
  announceEarned(slice, recorder, rules);
  return settle(slice, recorder, event, 'not_applicable', referral, rules);
}

function announce(
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
  reason: CreditReason,
  referral: Referral | null,
): void {
  recorder.announce(
    'event.recorded',
    eventData(event, purchase, attributionData(reason, referral)),
  );
}

function settle(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  reason: CreditReason,
  referral: Referral | null,
  rules: readonly ExplainedRule[],
): TrackedEvent {
  const decided: TrackedEvent = {
    ...event,
    programId: referral?.programId ?? null,
    referralId: referral?.id ?? null,
    processingState: 'processed',
    processingReason: reason,
    attemptCount: event.attemptCount + 1,
    nextAttemptAt: null,
    explanation: { candidates: event.explanation?.candidates ?? [], rules },
  };
  count(slice, recorder, eventFiguresOf(recorder.projectId, decided));
  slice.decidedEvents.set(decided.id, decided);
  return decided;
}
