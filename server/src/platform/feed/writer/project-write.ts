import type { Tx } from '../../db/database.ts';
import type { WriteRequest } from '../../http/access/principal.ts';
import type { AppError } from '../../kit/errors.ts';
import type { NewId } from '../../kit/ids.ts';
import type { Instant } from '../../kit/instant.ts';
import type { ConfigPart } from './config-cache.ts';

declare const changesConfig: unique symbol;

/** Required by stores that write settings: only `ProjectWrite.changeConfig` returns it. */
export interface ConfigTx extends Tx {
  readonly [changesConfig]: true;
}

/** Every type of event. */
export const EVENT_TYPES = [
  'participant.created',
  'referral.created',
  'event.recorded',
  'reward.earned',
  'reward.voided',
  'reward.restored',
  'reward.fulfilled',
  'reward.revoked',
  'payout.paid',
  'payout.failed',
  'payout.returned',
  'risk.review_opened',
  'risk.review_decided',
] as const;
export type FeedEventType = (typeof EVENT_TYPES)[number];

/** Types that only endpoints which name them get. All of them are in the feed. */
const NAMED_ONLY: ReadonlySet<FeedEventType> = new Set([
  'risk.review_opened',
  'risk.review_decided',
]);
/** Types that an endpoint gets which names none. */
export const DEFAULT_EVENT_TYPES = EVENT_TYPES.filter((type) => !NAMED_ONLY.has(type));

/** Represents a participant in an event's data; rendering replaces it by the party itself. */
export interface PartyRef {
  readonly $party: string;
}

export interface NewFeedEvent {
  readonly id: string;
  readonly type: FeedEventType;
  readonly data: Record<string, unknown>;
}

/** An event's position in its Project's feed, and its subject. */
export interface FeedEntry {
  readonly position: number;
  readonly type: FeedEventType;
}

/** Queues the deliveries of these events, in the transaction that appends them; returns the number of deliveries. */
export type FanOut = (
  write: Pick<ProjectWrite, 'tx' | 'projectId' | 'config' | 'realNow'>,
  entries: readonly FeedEntry[],
) => Promise<number>;

/**
 * One transaction on one Project, its head locked: everything read through `tx` from here on is
 * current, and nobody else writes to the Project until it ends.
 */
export interface ProjectWrite {
  readonly projectId: string;
  readonly tx: Tx;
  /** The Project's time: never earlier than that of any earlier fact. */
  readonly now: Instant;
  /** Real time, which a test clock runs ahead of: for anything other than the Project's data. */
  readonly realNow: Instant;
  readonly newId: NewId;
  /** Current settings, cached by this process. Must not be modified. */
  config<T>(part: ConfigPart<T>): Promise<T>;
  /** Makes every process reload the Project's settings. */
  changeConfig(): ConfigTx;
  /** The next number of a list, from 1, without gaps. */
  nextNumber(list: string): number;
  /** Sets the Project's time, ahead of real time by `offsetMs`, for what comes after this write. */
  moveClock(now: Instant, offsetMs: number): void;
  /** Adds an event to the feed, in the order of the calls. */
  append(type: FeedEventType, data: Record<string, unknown>): void;
}

export type Outcome<A> =
  | {
      readonly answer: A;
      /** The participant whose data the answer contains: erasing them erases the stored answer. */
      readonly participantId?: string;
    }
  | { readonly refused: AppError };

export interface Command<C> {
  readonly request: WriteRequest;
  readonly input: C;
}

/**
 * Takes the commands of one transaction and returns an outcome for each, in order. A batch must
 * have exactly the same result as its commands one by one.
 */
export interface Handler<C, A, L = undefined> {
  readonly name: string;
  readonly batchMax: number;
  /** Running a completed command again changes nothing and returns the same answer. */
  readonly repeatable: boolean;
  /** If it is repeatable, few commands of it may share a transaction with those of other Projects. */
  readonly isShared?: true;
  /** Its sender limits its commands; they are never refused because of a full queue. */
  readonly isBounded?: true;
  /**
   * Queries that do not depend on the head. They are sent right after the lock, so that they are
   * read under it and save a round trip.
   */
  load?(tx: Tx, projectId: string, commands: readonly Command<C>[]): Promise<L>;
  run(write: ProjectWrite, commands: readonly Command<C>[], loaded: L): Promise<Outcome<A>[]>;
}

/** Maximum number of rows of a slice. */
export const SLICE = 500;

/**
 * Does one slice of a longer task, so that no transaction locks a Project for long; returns the
 * next slice, null if nothing is left. Repeating a slice changes nothing.
 */
export type Slice = (write: ProjectWrite) => Promise<Slice | null>;
