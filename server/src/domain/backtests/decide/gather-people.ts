import type { PastPeople } from './past-people.ts';
import type { Replayed } from './replayed.ts';
import type { WorldState } from './world-state.ts';

/** Whom a command is about, and whose waiting Events it may decide. */
export interface Involved {
  readonly people: ReadonlySet<string>;
  readonly waiting: ReadonlySet<string>;
}

/** The same as a production batch loads: the parties, whose Events wait for them, and the referrers of all these. */
export function gatherPeople(
  state: WorldState,
  past: PastPeople,
  { participantId, actorParticipantId, purchaseId, names, now }: Replayed,
): Involved {
  const parties = new Set<string>();
  parties.add(participantId);
  if (actorParticipantId !== null) parties.add(actorParticipantId);
  const waiting = new Set<string>();
  addWaiting(state, participantId, waiting, parties);
  if (actorParticipantId !== null) addWaiting(state, actorParticipantId, waiting, parties);
  if (purchaseId !== null) addAdjusted(state, purchaseId, parties);
  const people = parties;
  addCreators(state, people);
  for (const id of [...people]) {
    const referral = state.referrals.get(id);
    if (referral) people.add(referral.referrerParticipantId);
    for (const touch of past.touchesOf(id, now)) people.add(touch.referrerParticipantId);
    const codeTouches = state.codeTouches.get(id);
    if (codeTouches) for (const touch of codeTouches) people.add(touch.referrerParticipantId);
  }
  for (const codes of names.values()) for (const code of codes) people.add(code.participantId);
  // Nobody is credited for themselves: who created a referring group matters as well.
  addCreators(state, people);
  return { people, waiting };
}

function addCreators({ creatorOf }: WorldState, people: Set<string>): void {
  if (creatorOf.size === 0) return;
  for (const id of [...people]) {
    const creator = creatorOf.get(id);
    if (creator !== undefined) people.add(creator);
  }
}

/** Waiting Events of somebody, of groups for which they acted, and of groups that they created. */
function addWaiting(
  state: WorldState,
  party: string,
  waiting: Set<string>,
  parties: Set<string>,
): void {
  const add = (id: string) => {
    const events = state.waiting.get(id);
    if (!events) return;
    waiting.add(id);
    parties.add(id);
    for (const { actorParticipantId } of events) {
      if (actorParticipantId !== null) parties.add(actorParticipantId);
    }
  };
  add(party);
  state.waitingBy.get(party)?.forEach(add);
  state.groupsOf.get(party)?.forEach(add);
}

/** Everybody whom the purchase of an adjustment was about. */
function addAdjusted(state: WorldState, purchaseId: string, parties: Set<string>): void {
  const purchase = state.purchases.get(purchaseId);
  const credit = state.credits.get(purchaseId);
  if (purchase) parties.add(purchase.participantId);
  if (credit) parties.add(credit.refereeParticipantId).add(credit.referrerParticipantId);
  const event = purchase && state.events.get(purchase.eventId);
  if (event?.actorParticipantId) parties.add(event.actorParticipantId);
}
