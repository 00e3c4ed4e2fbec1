import type { Instant } from '../../../platform/kit/instant.ts';
import { changeRow, type Recorder } from '../batch/recorder.ts';
import type { TrackedEvent, TrackSlice } from '../batch/slice.ts';
import { decidePurchase } from './decide-event.ts';
import { isAwaited, type PurchaseParty } from './decide-purchase-wait.ts';
import { countsFor, othersOf } from './find-credit.ts';

/** Whether a purchase waits for something that is still to come. */
export function isWaiting(slice: TrackSlice, event: TrackedEvent, now: Instant): boolean {
  const { participantId, receivedAt } = event;
  const person = slice.people.get(participantId);
  if (!person) throw new Error(`Event ${event.id} belongs to nobody.`);
  const partyOf = (id: string): PurchaseParty => {
    const referral = slice.referrals.get(id);
    return {
      hasReferral:
        referral !== undefined && (id === participantId || countsFor(slice, event, referral)),
      signup: signupOf(slice, id),
    };
  };
  return isAwaited({
    own: partyOf(participantId),
    others: othersOf(slice, event).map(partyOf),
    participantCreatedAt: person.createdAt,
    receivedAt,
    now,
    book: slice.book,
  });
}

function signupOf({ promised, signups }: TrackSlice, id: string): PurchaseParty['signup'] {
  if (promised.has(id)) return 'awaiting_subscription';
  return signups.has(id) ? 'decided' : 'none';
}

/**
 * Decides, in the order they came, the purchases that need wait no longer after something became
 * known of this participant: its own, and those of groups for which it acted or which it created.
 */
export function decideWaiting(slice: TrackSlice, recorder: Recorder, participantId: string): void {
  const concerned = [...slice.waiting.values()]
    .flat()
    .filter((event) => [event.participantId, ...othersOf(slice, event)].includes(participantId))
    .filter((event) => !isWaiting(slice, event, recorder.now));
  decideEach(slice, recorder, concerned);
}

/** Decides the purchases of this participant whose time is up by `dueBy`, in the order they came. */
export function decideDue(
  slice: TrackSlice,
  recorder: Recorder,
  participantId: string,
  dueBy: Instant,
): void {
  const waiting = slice.waiting.get(participantId) ?? [];
  const due = waiting.filter(({ nextAttemptAt }) => (nextAttemptAt ?? '') <= dueBy);
  decideEach(slice, recorder, due);
}

function decideEach(slice: TrackSlice, recorder: Recorder, events: readonly TrackedEvent[]): void {
  for (const event of events.toSorted((a, b) => a.number - b.number)) {
    const purchase = slice.purchases.get(slice.purchaseOfEvent.get(event.id) ?? '') ?? null;
    changeRow(recorder.made.events, decidePurchase(slice, recorder, event, purchase));
    const waiting = slice.waiting.get(event.participantId) ?? [];
    slice.waiting.set(
      event.participantId,
      waiting.filter(({ id }) => id !== event.id),
    );
  }
}
