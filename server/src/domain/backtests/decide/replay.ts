import { addToTally } from '../../../platform/figures/tally.ts';
import { addMs, type Instant, laterOf, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { startFigures } from '../../participants/starts/starting-measures.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { decideVoid } from '../../rewards/decide/decide-void.ts';
import { transition } from '../../rewards/decide/states.ts';
import { type RewardRow, withDelivery } from '../../rewards/reward.ts';
import { emptyRisk, type RiskBook } from '../../risk/risk-slice.ts';
import type { Made } from '../../tracking/batch/made.ts';
import { PURCHASE_WAIT_MS } from '../../tracking/decide/decide-purchase-wait.ts';
import type { Source } from '../../tracking/schema.ts';

import { EventComparison } from './compare-events.ts';
import { ReviewComparison } from './compare-reviews.ts';
import {
  LAST,
  occurredAtOf,
  orderOf,
  type PastAdjustment,
  type PastEvent,
  type PastFact,
  type PastPerson,
  type PastReview,
  type PastReward,
  type PastTouch,
  type Place,
  placeOf,
} from './history.ts';
import { neededFigures, needsMeasures } from './needed-figures.ts';
import { PastPeople } from './past-people.ts';
import { RemainingChanges } from './remaining-changes.ts';
import {
  commandOfAdjustment,
  commandOfDue,
  commandOfEvent,
  commandOfStart,
} from './replay-command.ts';
import type { Replayed } from './replayed.ts';
import { Schedule } from './schedule.ts';
import { World } from './world.ts';
import { WorldState, worldNeeds } from './world-state.ts';

/** What is replayed. */
export interface ReplayInput {
  readonly projectId: string;
  readonly actual: ProgramBook;
  readonly proposed: ProgramBook;
  readonly sources: ReadonlyMap<string, Source>;
  /** The lists of the Project. */
  readonly riskBook?: RiskBook;
  readonly programId: string;
  /** Events that occurred in this time are compared. */
  readonly from: Instant;
  readonly to: Instant;
  /** From when on there are two courses. By default shortly before `from`; earlier changes nothing. */
  readonly partsAt?: Instant;
}

type Change = (place: Place) => void;

/** Touches, clocks of callers and the ends of waits may be as much later than a fact. */
const MARGIN_MS = 10 * MINUTE_MS;

/**
 * Takes a Project's history from its beginning, once by the book in force and once by the proposed one. Facts are the same
 * in both; everything that was decided from them is decided anew. Before `from` both books are the same, so one course
 * stands for both until then.
 */
export class Replay {
  readonly events: EventComparison;
  readonly reviews = new ReviewComparison();
  /** Whether facts of people whom nobody referred can give something: loyalty Programs reward everybody. */
  readonly needsAll: boolean;
  /** Whether a policy of either book may open reviews. */
  readonly canReview: boolean;
  refused = 0;
  readonly #people: PastPeople;
  readonly #worlds: { readonly actual: World; proposed: World };
  readonly #proposed: ProgramBook;
  readonly #partsAt: Instant;
  readonly #needsFigure: ReturnType<typeof neededFigures>;
  readonly #schedule = new Schedule<Change>();
  readonly #changes = new RemainingChanges();
  /** Types of Events that may reach a milestone. */
  readonly #milestoneTypes: ReadonlySet<string>;

  constructor(input: ReplayInput) {
    const { projectId, programId, actual, proposed, sources, from, to } = input;
    const { riskBook = emptyRisk().book } = input;
    const books = [actual, proposed];
    const programs = books.flatMap((book) => [...book.programs.values()]);
    const loyalty = programs.filter(({ kind }) => kind === 'loyalty').map(({ id }) => id);
    const needs = worldNeeds(books);
    this.needsAll = loyalty.length > 0;
    this.canReview = needs.canReview;
    this.#milestoneTypes = new Set(
      programs.flatMap(({ rules }) =>
        rules.flatMap(({ eventType, terms }) =>
          terms.some(({ milestone }) => milestone !== null) ? [eventType] : [],
        ),
      ),
    );
    this.#people = new PastPeople(sources, new Set(loyalty), riskBook);
    this.#needsFigure = neededFigures(books);
    const context = {
      projectId,
      people: this.#people,
      needsFigure: this.#needsFigure,
      needsMeasures: needsMeasures(books),
    };
    const common = new World(new WorldState(withDays(actual, proposed), needs), context);
    this.#worlds = { actual: common, proposed: common };
    this.#proposed = proposed;
    this.#partsAt = input.partsAt ?? addMs(from, -MARGIN_MS);
    const rules = books.flatMap((book) => book.programs.get(programId)?.rules ?? []);
    const window = { from, to, rules: new Set(rules.map(({ id }) => id)) };
    this.events = new EventComparison(window, this.#worlds);
  }

  /** How much of each is in memory, of all courses together. */
  get kept() {
    const states = new Set([this.#worlds.actual.state, this.#worlds.proposed.state]);
    const count = (of: (state: WorldState) => number) =>
      [...states].reduce((sum, state) => sum + of(state), 0);
    return {
      people: this.#people.people.size,
      purchases: count(({ purchases }) => purchases.size),
      events: count(({ events }) => events.size),
      rewards: count(({ rewards }) => sizeOf(rewards)),
      milestones: count(({ milestonesOf }) => sizeOf(milestonesOf)),
      earnings: count(({ earnings }) => sizeOf(earnings)),
      waiting: this.events.open,
    };
  }

  /** Who referred whom, in each course; by referee. */
  get referrals() {
    const { actual, proposed } = this.#worlds;
    return { actual: actual.state.referrals, proposed: proposed.state.referrals };
  }

  knows(participantId: string): boolean {
    return this.#people.has(participantId);
  }

  /** Who signed up a group: its subscription may be bound by what they clicked. */
  creatorOf(groupId: string): string | undefined {
    return this.#worlds.actual.state.creatorOf.get(groupId);
  }

  /** Not a private getter: those are slow. */
  #isForked(): boolean {
    return this.#worlds.actual !== this.#worlds.proposed;
  }

  /** From the first time on by which the books may be asked for what was proposed, there are two courses. */
  #reach(at: Instant): void {
    if (at < this.#partsAt || this.#isForked()) return;
    this.#worlds.proposed = this.#worlds.actual.fork(this.#proposed);
  }

  /** The same in both courses. */
  #inBoth<T>(act: (world: World) => T): { readonly actual: T; readonly proposed: T } {
    const actual = act(this.#worlds.actual);
    return { actual, proposed: this.#isForked() ? act(this.#worlds.proposed) : actual };
  }

  /** Somebody whom facts are about, before the first of them. */
  addPerson(person: PastPerson): void {
    this.#people.add(person);
    const { id, deletedAt, suspendedAt, starts } = person;
    for (const start of starts) {
      const figures = startFigures(id, start).filter(this.#needsFigure);
      this.#schedule.add({ at: start.importedAt, order: '' }, () =>
        this.#inBoth(({ state }) => {
          for (const one of figures) addToTally(state.figures, one);
        }),
      );
    }
    if (deletedAt !== null) {
      this.#schedule.add({ at: deletedAt, order: LAST }, ({ at }) => this.#people.erase(id, at));
    }
    if (suspendedAt !== null) {
      this.#schedule.add({ at: suspendedAt, order: LAST }, ({ at }) =>
        this.#people.suspend(id, at),
      );
    }
  }

  setTouches(touches: Map<string, readonly PastTouch[]>): void {
    this.#people.setTouches(touches);
  }

  take(fact: PastFact): void {
    this.advance(placeOf(fact));
    this.#reach(laterOf(placeOf(fact).at, occurredAtOf(fact)));
    if (fact.kind === 'event') this.#takeEvent(fact.event);
    else if (fact.kind === 'adjustment') this.#takeAdjustment(fact.adjustment);
    else this.#takeBoth(commandOfStart(this.#people, fact.start));
  }

  /** Lets happen what is due before a place. */
  advance(place: Place): void {
    for (;;) {
      const due = this.#schedule.takeBefore(place);
      if (!due) return;
      this.#reach(due.place.at);
      due.what(due.place);
    }
  }

  finish(end: Instant): void {
    this.advance({ at: end, order: `${LAST}${LAST}` });
    this.events.finish();
  }

  #takeEvent(event: PastEvent): void {
    this.events.begin(event, this.#mayChange(event));
    for (const adjustment of event.early) this.#takeEarly(adjustment, event);
    this.#takeBoth(commandOfEvent(this.#people, event));
    this.#planDue(event);
    if (this.events.isKept(event.id)) {
      for (const reward of event.rewards) this.#planChanges(event, reward);
      if (!this.canReview) {
        this.#changes.add(event, event.adjustments - event.early.length);
        this.#releaseIfLast(event.id, 0);
      }
    }
    if (event.review) this.#planDecision(event.review);
  }

  /** Whether it is known in advance that the Rewards of an Event may change after they were earned, in either course. */
  #mayChange({ adjustments, rewards }: PastEvent): boolean {
    return this.canReview || adjustments > 0 || rewards.some((one) => isVoidedByHand(one));
  }

  /** After the last of the changes that the history has for an Event, it is not kept any longer. */
  #releaseIfLast(eventId: string, happened = 1): void {
    const participantId = this.#changes.take(eventId, happened);
    if (participantId === undefined) return;
    this.events.release(eventId);
    this.#inBoth(({ state }) => state.release(eventId, participantId));
  }

  /** Milestones may be lost and reached again: an Event that reached one is kept, and one that may when its wait ends. */
  #keepMilestones(made: Made | null): void {
    if (!made || this.#milestoneTypes.size === 0) return;
    for (const { milestone, eventId } of made.rewards.added.values()) {
      if (milestone !== null) this.#keepForGood(eventId);
    }
    for (const { id, type, processingState } of made.events.added.values()) {
      if (processingState === 'pending' && this.#milestoneTypes.has(type)) {
        this.#keepForGood(id);
      }
    }
  }

  #keepForGood(eventId: string): void {
    this.events.keep(eventId);
    this.#changes.never(eventId);
  }

  #takeEarly(adjustment: PastAdjustment, event: PastEvent): void {
    const { sourceNamespaceId, sourceEventId, participantId, receivedAt: now } = event;
    if (sourceEventId === null) return;
    const ref = { sourceNamespaceId, sourceEventId };
    const purchase = { id: adjustment.purchaseId, ref };
    this.#takeBoth(commandOfAdjustment(adjustment, { now, participantId, purchase }));
  }

  #takeAdjustment(adjustment: PastAdjustment): void {
    const { purchaseId, receivedAt: now } = adjustment;
    const known = this.#worlds.actual.state.purchases.get(purchaseId);
    // Its Event was refused, or passed over before somebody referred its buyer.
    if (!known) return;
    const purchase = { id: purchaseId, ref: { sourceNamespaceId: '', sourceEventId: purchaseId } };
    const { participantId } = known;
    this.#takeBoth(commandOfAdjustment(adjustment, { now, participantId, purchase }));
    this.#releaseIfLast(known.eventId);
  }

  #takeBoth(replayed: Replayed): void {
    const { isKept } = this.events;
    const { actual, proposed } = this.#inBoth((world) => world.take(replayed));
    this.#keepMilestones(actual);
    this.#keepMilestones(proposed);
    if (actual) this.#worlds.actual.absorb(isKept);
    else this.refused += 1;
    if (proposed && this.#isForked()) this.#worlds.proposed.absorb(isKept);
    this.events.follow(actual, proposed);
    this.reviews.follow(actual, proposed);
  }

  /** A purchase that waits is decided when its time is up, or later, as it was. */
  #planDue({ id, type, receivedAt, participantId, state, writtenAt, rewards }: PastEvent): void {
    if (type !== 'purchase' || state !== 'processed') return;
    const { actual, proposed } = this.#worlds;
    const waits = [actual, proposed].some(({ state: { waiting } }) =>
      (waiting.get(participantId) ?? []).some((event) => event.id === id),
    );
    if (!waits) return;
    const dueAt = addMs(receivedAt, PURCHASE_WAIT_MS);
    const [earned] = rewards
      .map(({ earnedAt }) => earnedAt)
      .filter((at) => at > receivedAt)
      .sort();
    const decidedAt = earned ?? writtenAt;
    const at = laterOf(decidedAt, dueAt);
    this.#schedule.add({ at, order: LAST }, (place) =>
      this.#takeBoth(commandOfDue(participantId, place.at)),
    );
  }

  #planChanges(event: PastEvent, reward: PastReward): void {
    const { fulfillment, revocation, void: voided } = reward;
    const plan = (
      place: Place,
      change: (row: RewardRow, moment: Parameters<typeof decideVoid>[2]) => RewardRow,
    ) => {
      if (!this.canReview) this.#changes.add(event, 1);
      this.#schedule.add(place, ({ at }) => {
        this.#changeRewards(event, reward, at, change);
        this.#releaseIfLast(event.id);
      });
    };
    if (fulfillment) {
      const place = { at: fulfillment.occurredAt, order: orderOf(fulfillment.id) };
      plan(place, (row, { now }) => granted({ ...row, fulfillment }, now));
    }
    if (revocation) {
      const place = { at: revocation.occurredAt, order: orderOf(revocation.id) };
      plan(place, (row, { now }) =>
        withDelivery({ ...row, fulfillmentStatus: 'revoked', revocation }, now),
      );
    }
    if (voided && isVoidedByHand(reward)) {
      const place = { at: voided.voidedAt, order: orderOf(voided.id) };
      const facts = { reasonCode: voided.reasonCode, reason: null };
      plan(place, (row, moment) => {
        const decision = decideVoid(row, facts, moment);
        return 'reward' in decision ? decision.reward : row;
      });
    }
  }

  /** Changes the Reward of each course that is the same promise to the same person. */
  #changeRewards(
    { id }: PastEvent,
    reward: PastReward,
    at: Instant,
    change: Parameters<World['changeRewards']>[2],
  ): void {
    const { actual, proposed } = this.#inBoth((world) => {
      const rows = [...(world.state.rewards.get(id)?.values() ?? [])];
      return world.changeRewards(
        at,
        rows.filter((row) => isSame(row, reward)),
        change,
      );
    });
    this.events.follow(actual, proposed);
  }

  #planDecision({ refereeId, status, decidedAt }: PastReview): void {
    if (status === 'open' || decidedAt === null) return;
    this.#schedule.add({ at: decidedAt, order: LAST }, ({ at }) => {
      const { actual, proposed } = this.#inBoth((world) =>
        world.decideReview(refereeId, status, at),
      );
      this.events.follow(actual, proposed);
    });
  }
}

function sizeOf(groups: ReadonlyMap<string, { readonly size: number }>): number {
  let sum = 0;
  for (const { size } of groups.values()) sum += size;
  return sum;
}

/** The days of measures that either book needs: what is counted before the courses part is counted for both. */
function withDays(actual: ProgramBook, proposed: ProgramBook): ProgramBook {
  const programs = [...actual.programs].map(([id, program]) => {
    const daysFrom = program.daysFrom ?? proposed.programs.get(id)?.daysFrom ?? null;
    return [id, { ...program, daysFrom }] as const;
  });
  return { programs: new Map(programs) };
}

/** Not by a refund or a lost milestone, which are decided again, and not by a review, whose decision is repeated. */
function isVoidedByHand({ void: voided, isVoidedByReview }: PastReward): boolean {
  return (
    voided !== null &&
    voided.isByRefund !== true &&
    voided.reasonCode !== 'milestone_lost' &&
    !isVoidedByReview
  );
}

function isSame(row: RewardRow, past: PastReward): boolean {
  const at = row.arithmetic.milestone?.at ?? null;
  return (
    row.ruleId === past.ruleId &&
    row.beneficiaryParticipantId === past.beneficiaryParticipantId &&
    (at === null ? null : BigInt(at)) === past.milestoneAt
  );
}

function granted(row: RewardRow, now: Instant): RewardRow {
  const { fulfillmentStatus: status, benefitKind } = row;
  const late = benefitKind === 'cash' ? 'record_late_kept_grant' : 'record_late_grant';
  const next = transition(status, 'record_grant') ?? transition(status, 'confirm');
  return withDelivery(
    { ...row, fulfillmentStatus: next ?? transition(status, late) ?? status },
    now,
  );
}
