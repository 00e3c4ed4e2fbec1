import type { TrackedEvent } from '../batch/facts.ts';
import type { Ledger, LedgerView, Taken } from '../batch/ledger.ts';
import { decidePurchase } from './decide-event.ts';
import { isAwaited, type PurchaseParty } from './decide-purchase-wait.ts';
import { countsFor, othersOf } from './find-credit.ts';

/** Whether a purchase waits for a fact that has not arrived yet. */
export function isWaiting(view: LedgerView, event: TrackedEvent): boolean {
  const { participantId, receivedAt } = event;
  const person = view.people.get(participantId);
  if (!person) throw new Error(`Event ${event.id} has no participant.`);
  const partyOf = (id: string): PurchaseParty => {
    const referral = view.referrals.get(id);
    return {
      hasReferral:
        referral !== undefined && (id === participantId || countsFor(view, event, referral)),
      signup: signupOf(view, id),
    };
  };
  return isAwaited({
    own: partyOf(participantId),
    others: othersOf(view, event).map(partyOf),
    participantCreatedAt: person.createdAt,
    receivedAt,
    now: view.now,
    book: view.book,
  });
}

function signupOf({ promised, signups }: LedgerView, id: string): PurchaseParty['signup'] {
  if (promised.has(id)) return 'awaiting_subscription';
  return signups.has(id) ? 'decided' : 'none';
}

/**
 * Decides, in order of arrival, the purchases that need not wait any longer after a new fact about
 * this participant: its own, and those of groups for which it acted or which it created.
 */
export function decideWaiting(ledger: Ledger, participantId: string): void {
  const { view } = ledger;
  if (view.waiting.size === 0) return;
  const concerned = [...view.waiting.values()]
    .flat()
    .filter((event) => [event.participantId, ...othersOf(view, event)].includes(participantId))
    .filter((event) => !isWaiting(view, event));
  decideEach(ledger, concerned);
}

/** Decides the purchases of this participant whose time is up, in order of arrival. */
export function decideDue(ledger: Ledger, participantId: string): Taken<object> {
  const waiting = ledger.view.waiting.get(participantId) ?? [];
  const due = waiting.filter(({ nextAttemptAt }) => (nextAttemptAt ?? '') <= ledger.now);
  decideEach(ledger, due);
  return { answer: {} };
}

function decideEach(ledger: Ledger, events: readonly TrackedEvent[]): void {
  for (const event of events.toSorted((a, b) => a.number - b.number)) {
    ledger.changeEvent(event, decidePurchase(ledger, event));
  }
}
