import type { Queryable } from '../../platform/db/driver.ts';
import { groupBy } from '../../platform/kit/group-by.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { unpackFacts } from '../risk/decide/risk-facts.ts';
import type { NamedCode } from '../tracking/batch/facts.ts';
import type { Traits } from '../tracking/risk/load-risk.ts';
import {
  isBefore,
  type PastAdjustment,
  type PastEvent,
  type PastFact,
  type PastPerson,
  type PastTouch,
  placeOf,
} from './decide/history.ts';
import {
  type AdjustmentRow,
  countDecided,
  type EventRow,
  type HistoryEnd,
  listEarlyAdjustments,
  listPastAdjustments,
  listPastClicks,
  listPastEvents,
  listPastPeople,
  listPastReviews,
  listPastRewards,
  listPastStarts,
  listTypedCodes,
  type TypedCode,
} from './history-queries.ts';

/** Facts, and whom they are about, in the order in which they were taken. */
export interface HistoryPage {
  readonly facts: readonly PastFact[];
  /** Decided Events of the time that is compared that were passed over, because they can give nothing. */
  readonly passedOver: number;
  readonly people: readonly PastPerson[];
  readonly touches: Map<string, readonly PastTouch[]>;
}

/** The next page of a kind of facts, and whether there are more. */
interface Stream {
  readonly rows: { readonly fact: PastFact; readonly isNeeded: boolean }[];
  isOver: boolean;
}

interface Reading {
  /** Whether the replay knows somebody from earlier pages. */
  isKnown(participantId: string): boolean;
  creatorOf(groupId: string): string | undefined;
  /** Facts of a page. */
  readonly page: number;
  /** Whether facts of people are needed whom nobody can have referred. */
  readonly needsAll: boolean;
  /** Reads what people may share with others; null if nobody is reviewed. */
  readonly loadTraits: ((participantIds: readonly string[]) => Promise<Traits>) | null;
  /** Whether an Event is one of those that are compared. */
  readonly window: { readonly from: Instant; readonly to: Instant };
}

/** A page looks at so many times the Events that it may have: most are passed over where most people came by themselves. */
const LOOK_AHEAD = 10;

/**
 * Reads the history of a Project up to its end, page by page. What is read is not kept. Facts of people whom nobody can have
 * referred are passed over: they would be decided like all others, and give nothing in any course.
 */
export class HistoryReader {
  readonly #db: Queryable;
  readonly #projectId: string;
  readonly #end: HistoryEnd;
  readonly #reading: Reading;
  readonly #adjustments: Stream = { rows: [], isOver: false };
  readonly #starts: Stream = { rows: [], isOver: false };
  /** The number up to which Events were looked at. */
  #events = 0;
  #lastAdjustment = 0;
  #lastStart = '';
  #isOver = false;

  constructor(db: Queryable, projectId: string, end: HistoryEnd, reading: Reading) {
    this.#db = db;
    this.#projectId = projectId;
    this.#end = end;
    this.#reading = reading;
  }

  /** How many Events were read or passed over. */
  get read(): number {
    return this.#events;
  }

  /** Null after the last. */
  async next(): Promise<HistoryPage | null> {
    if (this.#isOver) return null;
    const { rows, passedOver } = await this.#readEvents();
    const events = await this.#complete(rows);
    const facts = events.map((event): PastFact => ({ kind: 'event', event }));
    const until = this.#isOver ? null : facts.at(-1);
    const others = [
      ...(await this.#takeUntil(this.#adjustments, until, () => this.#readAdjustments())),
      ...(await this.#takeUntil(this.#starts, until, () => this.#readStarts())),
    ];
    const merged = merge(
      facts,
      others.sort((a, b) => (isBefore(placeOf(a), placeOf(b)) ? -1 : 1)),
    );
    return { facts: merged, passedOver, ...(await this.#surround(merged)) };
  }

  async #readEvents(): Promise<{ readonly rows: EventRow[]; readonly passedOver: number }> {
    const [db, projectId, after] = [this.#db, this.#projectId, this.#events];
    const { page, needsAll, window } = this.#reading;
    const { events: end } = this.#end;
    const last = needsAll ? end : Math.min(end, after + page * LOOK_AHEAD);
    const rows = await listPastEvents(db, projectId, after, last, page, needsAll);
    this.#events = rows.length < page ? last : Number(rows.at(-1)?.number ?? last);
    this.#isOver = this.#events >= end;
    if (needsAll) return { rows, passedOver: 0 };
    const { from, to } = window;
    const found = await countDecided(db, projectId, after, this.#events, from, to);
    const read = rows.filter(
      ({ occurredAt, state }) => from <= occurredAt && occurredAt < to && state === 'processed',
    );
    return { rows, passedOver: (found?.decided ?? 0) - read.length };
  }

  /** Null: all that are left. Without an Event before which to put them, they wait for one. */
  async #takeUntil(
    stream: Stream,
    until: PastFact | null | undefined,
    read: () => Promise<void>,
  ): Promise<PastFact[]> {
    const taken: PastFact[] = [];
    if (until === undefined) return taken;
    const end = until && placeOf(until);
    for (;;) {
      const [first] = stream.rows;
      if (!first) {
        if (stream.isOver) return taken;
        await read();
        continue;
      }
      if (end && !isBefore(placeOf(first.fact), end)) return taken;
      stream.rows.shift();
      if (first.isNeeded) taken.push(first.fact);
    }
  }

  async #readAdjustments(): Promise<void> {
    const [db, projectId, after] = [this.#db, this.#projectId, this.#lastAdjustment];
    const { page, needsAll } = this.#reading;
    const rows = await listPastAdjustments(db, projectId, after, this.#end.adjustments, page);
    this.#lastAdjustment = Number(rows.at(-1)?.number ?? 0);
    this.#adjustments.isOver = rows.length < page;
    for (const row of rows) {
      const fact: PastFact = { kind: 'adjustment', adjustment: toAdjustment(row) };
      // One that waited for its purchase is taken together with it.
      this.#adjustments.rows.push({ fact, isNeeded: !row.isEarly && (needsAll || row.isNeeded) });
    }
  }

  async #readStarts(): Promise<void> {
    const [db, projectId, after] = [this.#db, this.#projectId, this.#lastStart];
    const { page, needsAll } = this.#reading;
    const rows = await listPastStarts(db, projectId, after, this.#end.at, page);
    this.#lastStart = rows.at(-1)?.id ?? '';
    this.#starts.isOver = rows.length < page;
    for (const { isNeeded, ...start } of rows) {
      this.#starts.rows.push({ fact: { kind: 'start', start }, isNeeded: needsAll || isNeeded });
    }
  }

  /** What the decisions of these Events need, and what was decided. */
  async #complete(rows: readonly EventRow[]): Promise<PastEvent[]> {
    const [db, projectId] = [this.#db, this.#projectId];
    const ids = rows.map(({ id }) => id);
    const coded = rows.filter(({ type, isImport }) => type === 'signup' || isImport);
    const adjusted = rows.flatMap(({ adjustments, purchaseId }) =>
      adjustments > 0 && purchaseId !== null ? [purchaseId] : [],
    );
    const reviewIds = rows.flatMap(({ reviewId }) => reviewId ?? []);
    const [rewards, codes, early, reviews] = await Promise.all([
      listPastRewards(db, projectId, ids),
      coded.length === 0
        ? []
        : listTypedCodes(db, projectId, [...new Set(coded.map((one) => one.participantId))]),
      adjusted.length === 0 ? [] : listEarlyAdjustments(db, projectId, adjusted),
      reviewIds.length === 0 ? [] : listPastReviews(db, projectId, reviewIds),
    ]);
    const rewardsOf = groupBy(rewards, ({ eventId }) => eventId);
    const earlyOf = groupBy(early, ({ eventId }) => eventId);
    const codesOf = groupBy(codes, ({ ownerId }) => ownerId);
    const reviewOf = new Map(reviews.map((one) => [one.id, one]));
    // Each field by its name: taking the rest of a row is slow.
    return rows.map((row): PastEvent => {
      const { reviewId } = row;
      const sent = row.type === 'signup' || row.isImport ? codesOf.get(row.participantId) : [];
      return {
        id: row.id,
        number: Number(row.number),
        type: row.type,
        participantId: row.participantId,
        actorParticipantId: row.actorParticipantId,
        sourceNamespaceId: row.sourceNamespaceId,
        sourceEventId: row.sourceEventId,
        occurredAt: row.occurredAt,
        receivedAt: row.receivedAt,
        facts: row.facts,
        writtenAt: row.writtenAt,
        state: row.state,
        purchaseId: row.purchaseId,
        duplicateOf: row.duplicateOf,
        adjustments: row.adjustments,
        isImport: row.isImport,
        code: toCode(sent?.find(({ createdAt }) => createdAt === row.receivedAt)),
        early: (earlyOf.get(row.id) ?? []).map(toAdjustment),
        risk: riskOf(row),
        rewards: rewardsOf.get(row.id) ?? [],
        review: reviewOf.get(reviewId ?? '') ?? null,
      };
    });
  }

  /** The people of these facts, and the clicks of those who can be bound by them. */
  async #surround(facts: readonly PastFact[]): Promise<Pick<HistoryPage, 'people' | 'touches'>> {
    const named = new Set<string>();
    const bound = new Set<string>();
    for (const fact of facts) {
      if (fact.kind === 'adjustment') continue;
      const parties =
        fact.kind === 'event'
          ? [fact.event.participantId, fact.event.actorParticipantId]
          : [fact.start.participantId, this.#reading.creatorOf(fact.start.participantId)];
      const canBind = fact.kind === 'start' || fact.event.type === 'signup';
      for (const id of parties) {
        if (!id) continue;
        named.add(id);
        if (canBind) bound.add(id);
      }
      if (fact.kind === 'event' && fact.event.code) named.add(fact.event.code.participantId);
    }
    const clicks =
      bound.size === 0 ? [] : await listPastClicks(this.#db, this.#projectId, [...bound]);
    for (const { referrerParticipantId } of clicks) named.add(referrerParticipantId);
    const unknown = [...named].filter((id) => !this.#reading.isKnown(id));
    const { loadTraits } = this.#reading;
    const [people, traits] = await Promise.all([
      listPastPeople(this.#db, this.#projectId, unknown),
      unknown.length === 0 ? null : loadTraits?.(unknown),
    ]);
    return {
      people: people.map((one) => ({
        ...one,
        externalId: traits ? one.externalId : null,
        profile: traits?.profiles.get(one.id) ?? null,
        account: traits?.accounts.get(one.id) ?? null,
        isReferrer: false,
        isReferee: false,
        starts: one.starts ?? [],
      })),
      touches: groupBy(clicks, ({ ownerId }) => ownerId),
    };
  }
}

/** Events stay in the order of their numbers; the others come between them by their places. */
function merge(events: readonly PastFact[], others: readonly PastFact[]): PastFact[] {
  const merged: PastFact[] = [];
  let at = 0;
  for (const event of events) {
    const place = placeOf(event);
    for (let next = others[at]; next && isBefore(placeOf(next), place); next = others[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(event);
  }
  return [...merged, ...others.slice(at)];
}

/** An erasure removes what an Event was judged by. */
function riskOf({ riskFacts: packed, referrerId, isBlanked }: EventRow): PastEvent['risk'] {
  if (packed === null || referrerId === null) return isBlanked ? 'forgotten' : null;
  return { referrerId, facts: unpackFacts(packed), packed };
}

function toCode(touch: TypedCode | undefined): NamedCode | null {
  if (!touch) return null;
  const { refCodeId, linkId, programId, referrerParticipantId: participantId } = touch;
  return { refCodeId, linkId, programId, participantId, movedAt: null };
}

function toAdjustment(row: AdjustmentRow): PastAdjustment {
  const { restoresNamespaceId, restoresEventId, closesNamespaceId, closesEventId } = row;
  const ref = (sourceNamespaceId: string | null, sourceEventId: string | null) =>
    sourceNamespaceId === null || sourceEventId === null
      ? null
      : { sourceNamespaceId, sourceEventId };
  const { id, purchaseId, kind, amountMinor, occurredAt, receivedAt } = row;
  const { sourceNamespaceId, sourceEventId } = row;
  return {
    id,
    number: Number(row.number),
    purchaseId,
    kind,
    sourceNamespaceId,
    sourceEventId,
    amountMinor,
    occurredAt,
    receivedAt,
    restores: ref(restoresNamespaceId, restoresEventId),
    closes: ref(closesNamespaceId, closesEventId),
  };
}
