import type { Instant } from '../kit/instant.ts';
import { addToCounter } from './count.ts';
import { attributionData, eventData } from './event-data.ts';
import type { Referral } from './event-schema.ts';
import { grantLoyaltyRewards, grantReferralRewards } from './grant-rewards.ts';
import type { Recorder } from './recorder.ts';
import type { ExplainedRule, Purchase, TrackedEvent, TrackSlice } from './slice.ts';

/** A purchase uses the referral its person has; it never makes one. */
export function decidePurchase(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
): TrackedEvent {
  if (purchase?.duplicateOf) {
    const decided = settle(event, 'duplicate_invoice', []);
    announce(recorder, decided, purchase, 'duplicate_invoice', null);
    return decided;
  }
  const referral = slice.referrals.get(event.participantId) ?? null;
  const reason = purchaseReason(slice, event.participantId, referral);
  announce(recorder, event, purchase, reason, referral);
  slice.customers.add(event.participantId);
  const loyalty = event.explanation?.rules ?? grantLoyaltyRewards(slice, recorder, event, purchase);
  const rules = referral
    ? [...grantReferralRewards(slice, recorder, event, purchase, referral), ...loyalty]
    : loyalty;
  if (referral) countEvent(slice, recorder, referral.programId, 'purchases');
  return settle(event, reason, rules);
}

function purchaseReason(
  slice: TrackSlice,
  participantId: string,
  referral: Referral | null,
): string {
  if (referral) return 'attributed';
  return slice.signups.has(participantId) ? 'no_referral' : 'no_signup';
}

/** A fact of the caller's own making: its rules use the referral there is, and nothing waits. */
export function decideCustom(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
): TrackedEvent {
  recorder.announce('event.recorded', eventData(event, null, null));
  const referral = slice.referrals.get(event.participantId);
  const rules = [
    ...(referral ? grantReferralRewards(slice, recorder, event, null, referral) : []),
    ...grantLoyaltyRewards(slice, recorder, event, null),
  ];
  return settle(event, 'not_applicable', rules);
}

/**
 * Decides the purchases that waited for this person's signup, in the order they came: all
 * of them, or those whose time is up by `dueBy`.
 */
export function decideWaiting(
  slice: TrackSlice,
  recorder: Recorder,
  participantId: string,
  dueBy: Instant | null = null,
): void {
  const waiting = slice.waiting.get(participantId) ?? [];
  const isDue = (event: TrackedEvent) => dueBy === null || (event.nextAttemptAt ?? '') <= dueBy;
  for (const event of waiting.filter(isDue)) {
    const decided = decidePurchase(slice, recorder, event, purchaseOf(slice, recorder, event));
    const made = recorder.made.events.findIndex(({ id }) => id === event.id);
    if (made >= 0) recorder.made.events[made] = decided;
    else recorder.made.decided.push(decided);
  }
  slice.waiting.set(
    participantId,
    waiting.filter((event) => !isDue(event)),
  );
}

/** The purchase behind an Event: made in this batch, or loaded with the Event that waits. */
function purchaseOf(slice: TrackSlice, recorder: Recorder, event: TrackedEvent): Purchase | null {
  return (
    slice.purchases.get(event.id) ??
    recorder.made.purchases.find(({ eventId }) => eventId === event.id) ??
    null
  );
}

function announce(
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
  reason: string,
  referral: Referral | null,
): void {
  recorder.announce(
    'event.recorded',
    eventData(event, purchase, attributionData(reason, referral)),
  );
}

export function countEvent(
  slice: TrackSlice,
  recorder: Recorder,
  programId: string,
  figure: string,
): void {
  addToCounter(slice, recorder, programId, `${recorder.now.slice(0, 10)}:${figure}`, 1);
}

function settle(
  event: TrackedEvent,
  reason: string,
  rules: readonly ExplainedRule[],
): TrackedEvent {
  return {
    ...event,
    processingState: 'processed',
    processingReason: reason,
    attemptCount: event.attemptCount + 1,
    nextAttemptAt: null,
    explanation: { candidates: event.explanation?.candidates ?? [], rules },
  };
}
