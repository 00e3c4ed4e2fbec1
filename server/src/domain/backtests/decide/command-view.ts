import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Participant } from '../../participants/schema.ts';
import type { EnrollmentSpan, LedgerState, Purchase, Touch } from '../../tracking/batch/facts.ts';
import { outsideKey } from '../../tracking/decide/customers.ts';
import { sourceKey } from '../../tracking/intake/normalize-event.ts';
import { gatherPeople } from './gather-people.ts';
import type { PastPeople } from './past-people.ts';
import type { Replayed } from './replayed.ts';
import type { WorldState } from './world-state.ts';

/**
 * What a command reads and changes: the state of a course itself, and of what decisions walk through only the part that the
 * command is about, as a production batch loads it. There is one for all commands of a course, and `focus` turns it to the
 * next: making twenty maps for each command costs more than the decision.
 */
export class CommandView implements LedgerState {
  readonly projectId: string;
  readonly newId: NewId;
  now: Instant = '';
  readonly book: LedgerState['book'];
  readonly sources: LedgerState['sources'];
  readonly participants = {
    byRef: new Map<string, Participant>(),
    billingHolders: new Map<string, string>(),
    erased: NONE,
  };
  readonly identities = NO_IDENTITIES;
  readonly people: LedgerState['people'];
  readonly keys: LedgerState['keys'] = new Forgetful();
  readonly signups: LedgerState['signups'];
  readonly promised: LedgerState['promised'];
  readonly starts: LedgerState['starts'];
  names: LedgerState['names'] = new Map();
  readonly touchesOf: LedgerState['touchesOf'];
  readonly touchesOfHandle: LedgerState['touchesOfHandle'] = new Map();
  readonly codeTouchesOf: LedgerState['codeTouchesOf'];
  readonly creatorOf: LedgerState['creatorOf'];
  referrals: LedgerState['referrals'];
  enrollments: EnrollmentSpan[] = [];
  readonly waiting: LedgerState['waiting'] = new Map();
  readonly decidedEvents: LedgerState['decidedEvents'] = new Map();
  readonly purchases: LedgerState['purchases'] = new Map();
  readonly purchaseOfEvent: LedgerState['purchaseOfEvent'] = new Map();
  readonly purchaseOfKey: LedgerState['purchaseOfKey'] = new Map();
  readonly adjustmentsOf: LedgerState['adjustmentsOf'];
  readonly earnings: LedgerState['earnings'];
  readonly occurredAt: LedgerState['occurredAt'];
  readonly milestones: LedgerState['milestones'] = new Map();
  readonly rewardsOf: LedgerState['rewardsOf'] = new Map();
  readonly early: LedgerState['early'];
  readonly customers: Changing<LedgerState['customers']>;
  readonly credits: LedgerState['credits'];
  readonly campaigns: LedgerState['campaigns'] = new Map();
  readonly invoices: LedgerState['invoices'] = new Map();
  readonly figures: LedgerState['figures'];
  readonly figuresOf: LedgerState['figuresOf'];
  readonly risk: LedgerState['risk'];
  readonly #state: WorldState;
  readonly #past: PastPeople;

  constructor(state: WorldState, past: PastPeople, maker: { projectId: string; newId: NewId }) {
    this.#state = state;
    this.#past = past;
    this.projectId = maker.projectId;
    this.newId = maker.newId;
    this.book = state.book;
    this.sources = past.sources;
    this.people = past.people;
    this.signups = state.signups;
    this.promised = state.promised;
    this.starts = state.starts;
    this.touchesOf = new TouchesNow(past, this);
    this.codeTouchesOf = state.codeTouches;
    this.creatorOf = state.creatorOf;
    this.referrals = state.referrals;
    this.adjustmentsOf = state.adjustmentsOf;
    this.earnings = state.earnings;
    this.occurredAt = state.occurredAt;
    this.early = state.early;
    this.customers = {
      known: state.customers,
      payers: state.payers,
      knownOutside: NONE,
      decided: new Set(),
      unpriced: new Set(),
    };
    this.credits = state.credits;
    this.figures = state.figures;
    this.figuresOf = state.figuresOf;
    this.risk = { ...state.risk, ...past.risk, judged: state.judged };
  }

  /** Turns to a command. What the last one changed must have been taken over by then. */
  focus(replayed: Replayed): void {
    this.forget(replayed.now);
    const { people, waiting } = gatherPeople(this.#state, this.#past, replayed);
    this.names = replayed.names;
    for (const [key, id] of replayed.invoices) this.invoices.set(key, id);
    this.#nameParties(replayed);
    for (const id of waiting) this.waiting.set(id, this.#state.waiting.get(id) ?? []);
    for (const id of people) this.#addPerson(id);
    if (replayed.command.kind === 'adjustment') this.#addAdjusted(replayed, people);
    else this.customers.knownOutside = this.#boughtOutside(replayed);
  }

  /** Turns to no command. */
  forget(now: Instant): void {
    this.now = now;
    this.referrals = this.#state.referrals;
    this.customers.knownOutside = NONE;
    // Cutting an array takes longer than making one.
    if (this.enrollments.length > 0) this.enrollments = [];
    empty(this.participants.byRef);
    empty(this.waiting);
    empty(this.decidedEvents);
    empty(this.purchases);
    empty(this.purchaseOfEvent);
    empty(this.purchaseOfKey);
    empty(this.milestones);
    empty(this.rewardsOf);
    empty(this.customers.decided);
    empty(this.customers.unpriced);
    empty(this.campaigns);
    empty(this.invoices);
  }

  #nameParties({ participantId, actorParticipantId }: Replayed): void {
    if (participantId !== '') this.#nameParty(participantId);
    if (actorParticipantId !== null) this.#nameParty(actorParticipantId);
  }

  #nameParty(id: string): void {
    const party = this.#past.participant(id);
    this.participants.byRef.set(`${party.kind} ${id}`, party);
  }

  /** Where somebody takes part, what they bought that may change, and the milestones that they reached. */
  #addPerson(id: string): void {
    const { purchasesOf, purchases, milestonesOf } = this.#state;
    this.#addEnrollments(id);
    for (const purchaseId of purchasesOf.get(id) ?? []) {
      const purchase = purchases.get(purchaseId);
      if (purchase) this.#addPurchase(purchase);
    }
    for (const [rewardId, reward] of milestonesOf.get(id) ?? []) {
      this.milestones.set(rewardId, reward);
    }
  }

  /** Those of the Project, and those that facts made here. */
  #addEnrollments(id: string): void {
    const stored = this.#past.enrollmentsOf(id, this.now);
    for (const span of stored) this.enrollments.push(span);
    for (const own of this.#state.joined.get(id) ?? []) {
      const isStored = stored.some(
        (one) => one.programId === own.programId && one.startsAt === own.startsAt,
      );
      if (!isStored) this.enrollments.push(own);
    }
  }

  #addPurchase(purchase: Purchase): void {
    const { id, eventId } = purchase;
    const { decided, events, rewards } = this.#state;
    this.purchases.set(id, purchase);
    this.purchaseOfEvent.set(eventId, id);
    if (decided.has(id)) this.customers.decided.add(id);
    const event = events.get(eventId);
    if (event?.processingState === 'processed') this.decidedEvents.set(eventId, event);
    const ofEvent = rewards.get(eventId);
    if (!ofEvent) return;
    this.rewardsOf.set(id, new Map([...ofEvent].filter(([, one]) => one.purchaseId === id)));
  }

  /** The purchase of an adjustment. Its referral is looked for among those of the people that it is about. */
  #addAdjusted({ command, purchaseId }: Replayed, people: ReadonlySet<string>): void {
    const { purchases, referrals } = this.#state;
    const purchase = purchases.get(purchaseId ?? '');
    if (purchase) {
      this.#addPurchase(purchase);
      if (command.kind === 'adjustment') {
        this.purchaseOfKey.set(sourceKey(command.adjustment.purchase), purchase.id);
      }
    }
    this.referrals = new Map(
      [...people].flatMap((id) => {
        const referral = referrals.get(id);
        return referral ? [[id, referral] as const] : [];
      }),
    );
  }

  /** For each subscription that this command may bind. */
  #boughtOutside({ command, participantId }: Replayed): ReadonlySet<string> {
    const starts = this.#state.starts.get(participantId) ?? [];
    const started = command.kind === 'subscription' ? [command.subscription] : [];
    if (starts.length + started.length === 0) return NONE;
    return new Set(
      [...starts, ...started]
        .filter(({ subscriptionId }) => this.#state.hasBoughtOutside(participantId, subscriptionId))
        .map(({ subscriptionId }) => outsideKey(participantId, subscriptionId)),
    );
  }
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

const NONE: ReadonlySet<string> = new Set();
const NO_IDENTITIES: LedgerState['identities'] = {
  handles: new Map(),
  references: new Map(),
  keyCounts: new Map(),
  changed: { handles: new Set(), references: new Set() },
};

/** The clicks of anybody that were known to be theirs by now. */
class TouchesNow extends Map<string, readonly Touch[]> {
  readonly #past: PastPeople;
  readonly #clock: { readonly now: Instant };

  constructor(past: PastPeople, clock: { readonly now: Instant }) {
    super();
    this.#past = past;
    this.#clock = clock;
  }

  override get(id: string): readonly Touch[] {
    return this.#past.touchesOf(id, this.#clock.now);
  }
}

/** A history has each fact once, so no answer is asked for again. */
class Forgetful<K, V> extends Map<K, V> {
  override get(): undefined {
    return undefined;
  }

  override set(): this {
    return this;
  }
}

/** Clearing an empty one is not free. */
function empty(one: { readonly size: number; clear(): void }): void {
  if (one.size > 0) one.clear();
}
