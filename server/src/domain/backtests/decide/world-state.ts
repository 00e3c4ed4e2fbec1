import type { Tally } from '../../../platform/figures/tally.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { earnsForMonths } from '../../rewards/decide/earn-rewards.ts';
import { periodOf } from '../../rewards/decide/reward-figures.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import { emptyRisk, type RiskSlice } from '../../risk/risk-slice.ts';
import { earningKey } from '../../tracking/batch/earnings.ts';
import type {
  EnrollmentSpan,
  LedgerState,
  Purchase,
  StoredReferral,
  Touch,
  TrackedEvent,
} from '../../tracking/batch/facts.ts';
import type { Made } from '../../tracking/batch/made.ts';
import { isPaidFor } from '../../tracking/decide/customers.ts';
import { FiguresBySubject } from './figures-by-subject.ts';
import type { PastEvent } from './history.ts';

/** Whatever a person did without a subscription counts outside every subscription. */
const NO_SUBSCRIPTION = '';
/** Of most people. */
const OUTSIDE: readonly string[] = [NO_SUBSCRIPTION];
/** Two different ones are outside any. */
const SUBSCRIPTIONS_MAX = 2;

/**
 * What the fold made of the history so far, under one book. Of a purchase that is decided and will not be adjusted, only
 * figures remain: so this grows with people, and with purchases that have adjustments, but not with every fact.
 */
export class WorldState {
  readonly book: ProgramBook;
  readonly figures: Tally;
  /** Set if reviews may open: only those ask for it. */
  readonly figuresOf: LedgerState['figuresOf'];
  /** By referee. */
  readonly referrals = new Map<string, StoredReferral>();
  readonly signups: LedgerState['signups'] = new Map();
  readonly promised = new Map<string, TrackedEvent>();
  readonly starts: LedgerState['starts'] = new Map();
  readonly codeTouches = new Map<string, readonly Touch[]>();
  readonly creatorOf = new Map<string, string>();
  readonly early: LedgerState['early'] = new Map();
  readonly adjustmentsOf: LedgerState['adjustmentsOf'] = new Map();
  readonly credits: LedgerState['credits'] = new Map();
  readonly earnings: LedgerState['earnings'] = new Map();
  readonly occurredAt = new Map<string, string>();
  /** Enrollments by loyalty Programs; by person. */
  readonly joined = new Map<string, readonly EnrollmentSpan[]>();
  readonly waiting = new Map<string, readonly TrackedEvent[]>();
  /** Participants with waiting Events, by everybody who can end the wait: actors and creators. */
  readonly waitingBy = new Map<string, Set<string>>();
  readonly groupsOf = new Map<string, Set<string>>();
  /** Purchases that may change, and the Events of those; by id. */
  readonly purchases = new Map<string, Purchase>();
  readonly purchasesOf = new Map<string, Set<string>>();
  readonly decided = new Set<string>();
  readonly events = new Map<string, TrackedEvent>();
  /** Rewards that may change: by Event, then by id. */
  readonly rewards = new Map<string, Map<string, RewardRow>>();
  readonly milestonesOf = new Map<string, Map<string, RewardRow>>();
  /** Events with kept Rewards, by referral: a review holds and ends all of them. */
  readonly eventsOfReferral = new Map<string, Set<string>>();
  readonly risk: RiskSlice = emptyRisk();
  readonly judged = new Map<string, NonNullable<PastEvent['risk']>>();
  /** Customers by purchases that do not change any more. */
  readonly customers = new Set<string>();
  readonly payers = new Set<string>();
  readonly #subscriptions = new Map<string, readonly string[]>();
  /** The numbers of the first Rewards of periods that do not change any more; by `earningKey`. */
  readonly #settledAt = new Map<string, number>();
  readonly #needs: WorldNeeds;

  constructor(book: ProgramBook, needs: WorldNeeds) {
    this.book = book;
    this.#needs = needs;
    if (needs.canReview) {
      const figures = new FiguresBySubject();
      this.figures = figures;
      this.figuresOf = (subject) => figures.of(subject);
    } else {
      this.figures = new Map();
    }
  }

  /** The same state under another book. Rows never change, so both have the same ones. */
  copy(book: ProgramBook): WorldState {
    const other = new WorldState(book, this.#needs);
    for (const name of COPIED) copyMap(this[name], other[name]);
    for (const name of GROUPED) {
      for (const [key, ids] of this[name]) other[name].set(key, new Set(ids));
    }
    for (const [eventId, rewards] of this.rewards) other.rewards.set(eventId, new Map(rewards));
    for (const [key, figure] of this.figures) other.figures.set(key, { ...figure });
    for (const id of this.decided) other.decided.add(id);
    for (const id of this.customers) other.customers.add(id);
    for (const id of this.payers) other.payers.add(id);
    copyMap(this.#subscriptions, other.#subscriptions);
    copyMap(this.#settledAt, other.#settledAt);
    // These lists are changed in place.
    for (const [id, recent] of this.risk.recent) other.risk.recent.set(id, [...recent]);
    copyMap(this.risk.visits, other.risk.visits);
    return other;
  }

  /** Whether somebody bought something outside a subscription. */
  hasBoughtOutside(personId: string, subscriptionId: string): boolean {
    return (this.#subscriptions.get(personId) ?? []).some((one) => one !== subscriptionId);
  }

  /** Takes over what a command made. `isKept` says of which Events the Rewards may still change. */
  absorb(
    made: Made,
    state: Pick<LedgerState, 'waiting' | 'customers'>,
    isKept: (eventId: string) => boolean,
  ): void {
    for (const span of made.enrollments) {
      this.joined.set(span.participantId, [...(this.joined.get(span.participantId) ?? []), span]);
    }
    for (const [personId, events] of state.waiting) this.#wait(personId, events);
    for (const personId of state.customers.unpriced) {
      this.customers.add(personId);
      this.#subscribe(personId, NO_SUBSCRIPTION);
    }
    const { events, purchases, rewards } = made;
    const isSettled = ({ eventId }: Purchase) => {
      const event = events.added.get(eventId) ?? events.changed.get(eventId);
      return event !== undefined && event.processingState !== 'pending' && !isKept(eventId);
    };
    for (const one of purchases.added.values()) this.#takePurchase(one, isSettled(one));
    for (const one of purchases.changed.values()) this.#takePurchase(one, isSettled(one));
    for (const id of state.customers.decided) if (this.purchases.has(id)) this.decided.add(id);
    for (const one of events.added.values()) this.#keepEvent(one, isKept);
    for (const one of events.changed.values()) this.#keepEvent(one, isKept);
    for (const one of rewards.added.values()) this.keepReward(one, isKept(one.eventId));
    for (const one of rewards.changed.values()) this.keepReward(one, isKept(one.eventId));
    for (const one of events.added.values()) this.#settle(one, isKept(one.id));
    for (const one of events.changed.values()) this.#settle(one, isKept(one.id));
  }

  /** Most are decided at once and do not change any more: those are never kept. */
  #takePurchase(purchase: Purchase, isSettled: boolean): void {
    if (isSettled && !this.purchases.has(purchase.id)) this.#count(purchase);
    else this.#keepPurchase(purchase);
  }

  #wait(personId: string, events: readonly TrackedEvent[]): void {
    if (events.length === 0) {
      this.waiting.delete(personId);
      return;
    }
    this.waiting.set(personId, events);
    for (const { actorParticipantId } of events) {
      if (actorParticipantId === null) continue;
      addTo(this.waitingBy, actorParticipantId, personId);
    }
  }

  #keepPurchase(purchase: Purchase): void {
    this.purchases.set(purchase.id, purchase);
    addTo(this.purchasesOf, purchase.participantId, purchase.id);
  }

  #keepEvent(event: TrackedEvent, isKept: (eventId: string) => boolean): void {
    if (event.type === 'signup') this.#keepSignup(event);
    if (isKept(event.id)) this.events.set(event.id, event);
  }

  #keepSignup({ participantId, actorParticipantId }: TrackedEvent): void {
    this.signups.set(participantId, SIGNED_UP);
    if (actorParticipantId !== null) addTo(this.groupsOf, actorParticipantId, participantId);
  }

  keepReward(reward: RewardRow, isKept: boolean): void {
    if (reward.milestone !== null) {
      const owner = reward.beneficiaryParticipantId;
      this.milestonesOf.set(owner, new Map(this.milestonesOf.get(owner)).set(reward.id, reward));
    }
    if (!isKept) {
      if (this.occurredAt.size > 0) this.#settleEarning(reward);
      return;
    }
    const known = this.rewards.get(reward.eventId) ?? new Map<string, RewardRow>();
    this.rewards.set(reward.eventId, known.set(reward.id, reward));
    if (reward.referralId !== null && this.#needs.canReview) {
      addTo(this.eventsOfReferral, reward.referralId, reward.eventId);
    }
  }

  #settle({ id, participantId, processingState }: TrackedEvent, isKept: boolean): void {
    if (processingState !== 'pending' && !isKept) this.#settlePurchase(id, participantId);
  }

  /** A purchase that is decided and does not change any more becomes a figure of its buyer. */
  #settlePurchase(eventId: string, participantId: string): void {
    this.judged.delete(eventId);
    for (const id of this.purchasesOf.get(participantId) ?? []) {
      const purchase = this.purchases.get(id);
      if (purchase?.eventId !== eventId) continue;
      this.#count(purchase);
      this.purchases.delete(id);
      this.decided.delete(id);
      removeFrom(this.purchasesOf, participantId, id);
    }
  }

  /** Nothing changes the Rewards of a kept Event any more. Its purchase may still wait to be decided. */
  release(eventId: string, participantId: string): void {
    for (const reward of this.rewards.get(eventId)?.values() ?? []) this.#settleEarning(reward);
    this.events.delete(eventId);
    this.rewards.delete(eventId);
    const isPending = this.waiting.get(participantId)?.some(({ id }) => id === eventId) ?? false;
    if (!isPending) this.#settlePurchase(eventId, participantId);
  }

  /** Of the Rewards of a period that do not change any more only the first matters, and of the others those before it. */
  #settleEarning(reward: RewardRow): void {
    this.occurredAt.delete(reward.eventId);
    if (!this.#needs.monthly.has(reward.ruleId)) return;
    const key = earningKey(reward.ruleId, periodOf(reward));
    const known = this.earnings.get(key);
    const settled = known?.get(reward.id);
    if (!known || !settled) return;
    const first = Math.min(settled.number, this.#settledAt.get(key) ?? settled.number);
    this.#settledAt.set(key, first);
    this.earnings.set(key, new Map([...known].filter(([, { number }]) => number <= first)));
  }

  /** Of a purchase that is not kept remains what it says about its buyer. */
  #count(purchase: Purchase): void {
    const { id, participantId, subscriptionId } = purchase;
    if (isPaidFor(purchase)) {
      this.customers.add(participantId);
      this.payers.add(participantId);
      this.#subscribe(participantId, subscriptionId ?? NO_SUBSCRIPTION);
    }
    this.credits.delete(id);
    if (this.adjustmentsOf.size > 0) this.adjustmentsOf.delete(id);
  }

  #subscribe(personId: string, subscriptionId: string): void {
    const known = this.#subscriptions.get(personId);
    if (!known) {
      const isOutside = subscriptionId === NO_SUBSCRIPTION;
      this.#subscriptions.set(personId, isOutside ? OUTSIDE : [subscriptionId]);
      return;
    }
    if (known.length >= SUBSCRIPTIONS_MAX || known.includes(subscriptionId)) return;
    this.#subscriptions.set(personId, [...known, subscriptionId]);
  }
}

/** What decides how much is kept, by the books of all courses. */
export interface WorldNeeds {
  /** Whether a review may be opened: then every Reward of a referral can change. */
  readonly canReview: boolean;
  /** Rules that earn for some months, of which the first earning is kept. */
  readonly monthly: ReadonlySet<string>;
}

export function worldNeeds(books: readonly ProgramBook[]): WorldNeeds {
  const programs = books.flatMap((book) => [...book.programs.values()]);
  const rules = programs.flatMap((program) => program.rules);
  return {
    canReview: programs.some(({ riskPolicies }) =>
      riskPolicies.some(({ mode }) => mode === 'review'),
    ),
    monthly: new Set(rules.flatMap(({ id, terms }) => (terms.some(earnsForMonths) ? [id] : []))),
  };
}

/** Maps whose values are replaced and never changed. */
const COPIED = [
  'referrals',
  'signups',
  'promised',
  'starts',
  'codeTouches',
  'creatorOf',
  'early',
  'adjustmentsOf',
  'credits',
  'earnings',
  'occurredAt',
  'joined',
  'waiting',
  'purchases',
  'events',
  'milestonesOf',
  'judged',
] as const satisfies readonly (keyof WorldState)[];
const GROUPED = ['waitingBy', 'groupsOf', 'purchasesOf', 'eventsOfReferral'] as const;

function copyMap(from: ReadonlyMap<string, unknown>, to: Map<string, unknown>): void {
  for (const [key, value] of from) to.set(key, value);
}

/** The answer to a signup is only ever compared with none. */
const SIGNED_UP = {} as never;

function addTo(index: Map<string, Set<string>>, key: string, value: string): void {
  const known = index.get(key);
  if (known) known.add(value);
  else index.set(key, new Set([value]));
}

function removeFrom(index: Map<string, Set<string>>, key: string, value: string): void {
  const known = index.get(key);
  known?.delete(value);
  if (known?.size === 0) index.delete(key);
}
