import type { Instant } from '../../../platform/kit/instant.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { TrackedEvent } from '../../tracking/batch/facts.ts';
import type { Made } from '../../tracking/batch/made.ts';
import type { PastEvent } from './history.ts';
import {
  changesOf,
  compareLines,
  type Line,
  type LineDifference,
  type Lines,
  linesOf,
  NO_LINES,
} from './reward-value.ts';
import { Totals } from './totals.ts';
import type { World } from './world.ts';

/** Examples of Events that were not decided again as they were. */
const EXAMPLES_MAX = 20;

/** An Event whose Rewards may change after it was first decided. */
interface Open {
  readonly event: PastEvent;
  readonly lines: { actual: Lines; proposed: Lines };
  /** How both courses explained it. */
  explained: { actual: TrackedEvent | null; proposed: TrackedEvent | null };
}

/** An Event that is worth something else. */
export interface EventDifference {
  readonly eventId: string;
  readonly number: number;
  readonly occurredAt: Instant;
  readonly lines: readonly LineDifference[];
  readonly explained: Open['explained'];
  /** Who was credited in each course. */
  readonly referrers: { readonly actual: string | null; readonly proposed: string | null };
}

interface Window {
  readonly from: Instant;
  readonly to: Instant;
  /** The rules of the Program in question. */
  readonly rules: ReadonlySet<string>;
}

/** Follows what the Events of a time are worth in both courses, and in what was stored. */
export class EventComparison {
  /** Of the rules of the Program in question, and of all others. */
  readonly own = new Totals();
  readonly others = new Totals();
  /** Differences to save; null for an Event that no longer differs. */
  readonly differences = new Map<string, EventDifference | null>();
  /** Examples of Events that were decided differently again, with what differs from what was stored. */
  readonly unlike: Pick<EventDifference, 'eventId' | 'lines' | 'explained'>[] = [];
  compared = 0;
  notReproduced = 0;
  readonly #window: Window;
  readonly #rules: ReadonlySet<string>;
  readonly #open = new Map<string, Open>();
  readonly #kept = new Set<string>();
  readonly #worlds: { readonly actual: World; readonly proposed: World };

  constructor(window: Window, worlds: { readonly actual: World; readonly proposed: World }) {
    this.#window = window;
    this.#rules = window.rules;
    this.#worlds = worlds;
  }

  /** Whether what it is worth may still change. */
  isOpen(eventId: string): boolean {
    return this.#open.has(eventId);
  }

  /** Of how many Events it may still change. */
  get open(): number {
    return this.#open.size;
  }

  readonly isKept = (eventId: string) => this.#kept.has(eventId);

  /** An Event before it is decided. `isKept` if its Rewards may change later. */
  begin(event: PastEvent, isKept: boolean): void {
    if (isKept) this.keep(event.id);
    const explained = { actual: null, proposed: null };
    this.#open.set(event.id, {
      event,
      lines: { actual: NO_LINES, proposed: NO_LINES },
      explained,
    });
  }

  /** Its Rewards may change later. */
  keep(eventId: string): void {
    this.#kept.add(eventId);
  }

  /** Nothing changes its Rewards any more. One that still waits is followed until it is decided. */
  release(eventId: string): void {
    this.#kept.delete(eventId);
    const open = this.#open.get(eventId);
    if (!open || isPending(open)) return;
    this.#open.delete(eventId);
    this.#check(open);
  }

  /** After a command was taken in both courses. */
  follow(actual: Made | null, proposed: Made | null): void {
    for (const eventId of touchedBy(actual, proposed)) {
      const open = this.#open.get(eventId);
      if (!open) continue;
      this.#explain(open, actual, proposed);
      const before = open.lines;
      const lines = this.#linesOf(open, 'actual', actual);
      // Before the courses part, one stands for both.
      const isSame = actual === proposed && before.actual === before.proposed;
      this.#update(open, lines, isSame ? lines : this.#linesOf(open, 'proposed', proposed));
      if (this.isKept(eventId) || isPending(open)) continue;
      this.#open.delete(eventId);
      this.#check(open);
    }
  }

  #explain({ event: { id }, explained }: Open, actual: Made | null, proposed: Made | null): void {
    const find = (made: Made | null) => made?.events.added.get(id) ?? made?.events.changed.get(id);
    explained.actual = find(actual) ?? explained.actual;
    explained.proposed = find(proposed) ?? explained.proposed;
  }

  #linesOf({ event: { id }, lines }: Open, side: 'actual' | 'proposed', made: Made | null): Lines {
    if (this.isKept(id)) return linesOf(this.#worlds[side].state.rewards.get(id)?.values() ?? []);
    if (!made || made.rewards.added.size === 0) return lines[side];
    const added: RewardRow[] = [];
    for (const one of made.rewards.added.values()) if (one.eventId === id) added.push(one);
    return added.length === 0 ? lines[side] : linesOf(added, lines[side]);
  }

  #update(open: Open, actual: Lines, proposed: Lines): void {
    const { event, lines } = open;
    const changes = changesOf(lines.actual, actual, 'actual');
    changes.push(...changesOf(lines.proposed, proposed, 'proposed'));
    lines.actual = actual;
    lines.proposed = proposed;
    if (!this.#isInside(event)) return;
    for (const one of changes) this.#totalsOf(one).add(event.occurredAt, one);
    const differing = compareLines(actual, proposed);
    const { id: eventId, number, occurredAt } = event;
    if (differing.length > 0) {
      const { explained } = open;
      const referrers = {
        actual: this.#referrerOf('actual', explained.actual),
        proposed: this.#referrerOf('proposed', explained.proposed),
      };
      this.differences.set(eventId, {
        eventId,
        number,
        occurredAt,
        lines: differing,
        explained: { actual: explained.actual, proposed: explained.proposed },
        referrers,
      });
    } else if (changes.length > 0) {
      this.differences.set(eventId, null);
    }
  }

  #totalsOf({ ruleId }: Pick<Line, 'ruleId'>): Totals {
    return this.#rules.has(ruleId) ? this.own : this.others;
  }

  /** A group's Event may be credited to a referral of its actor or its creator. */
  #referrerOf(side: 'actual' | 'proposed', event: TrackedEvent | null): string | null {
    if (!event || event.referralId === null) return null;
    const { referrals, creatorOf } = this.#worlds[side].state;
    const { participantId, actorParticipantId } = event;
    for (const party of [participantId, actorParticipantId, creatorOf.get(participantId)]) {
      const referral = party && referrals.get(party);
      if (referral && referral.id === event.referralId) return referral.referrerParticipantId;
    }
    return null;
  }

  #isInside({ occurredAt }: Pick<PastEvent, 'occurredAt'>): boolean {
    return this.#window.from <= occurredAt && occurredAt < this.#window.to;
  }

  /** What is left at the end: Events that were kept for later changes. */
  finish(): void {
    for (const open of this.#open.values()) this.#check(open);
    this.#open.clear();
  }

  /**
   * Compares with what was stored. A fact that cannot be decided again as it was counts as it was decided: the correction
   * is the same on both sides, so it never shows as a difference.
   */
  #check({ event, lines, explained }: Open): void {
    if (!this.#isInside(event) || event.state !== 'processed') return;
    this.compared += 1;
    const corrections = changesOf(lines.actual, linesOf(event.rewards), 'actual');
    if (corrections.length === 0) return;
    this.notReproduced += 1;
    if (this.unlike.length < EXAMPLES_MAX) {
      const differing = compareLines(linesOf(event.rewards), lines.actual);
      this.unlike.push({ eventId: event.id, lines: differing, explained });
    }
    for (const one of corrections) {
      this.#totalsOf(one).add(event.occurredAt, { ...one, proposed: one.actual });
    }
  }
}

function isPending({ explained: { actual, proposed } }: Open): boolean {
  return actual?.processingState === 'pending' || proposed?.processingState === 'pending';
}

/** Events with new or changed Rewards, or that were decided. */
function touchedBy(actual: Made | null, proposed: Made | null): ReadonlySet<string> {
  const touched = new Set<string>();
  for (const made of actual === proposed ? [actual] : [actual, proposed]) {
    if (!made) continue;
    for (const { eventId } of made.rewards.added.values()) touched.add(eventId);
    for (const { eventId } of made.rewards.changed.values()) touched.add(eventId);
    for (const id of made.events.added.keys()) touched.add(id);
    for (const id of made.events.changed.keys()) touched.add(id);
  }
  return touched;
}
