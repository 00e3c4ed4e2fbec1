import type { Tx } from '../../db/database.ts';
import type { WriteRequest } from '../../http/access/principal.ts';
import type { AppError } from '../../kit/errors.ts';
import type { NewId } from '../../kit/ids.ts';
import type { Instant } from '../../kit/instant.ts';
import type { ConfigPart } from './config-cache.ts';

declare const changesConfig: unique symbol;

/** What stores that write settings ask for: only `ProjectWrite.changeConfig` gives it out. */
export interface ConfigTx extends Tx {
  readonly [changesConfig]: true;
}

/** Every type of event there is. */
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
] as const;
export type FeedEventType = (typeof EVENT_TYPES)[number];

/** Put where a participant appears in an event's data; rendering replaces it by the party itself. */
export interface PartyRef {
  readonly $party: string;
}

export interface NewFeedEvent {
  readonly id: string;
  readonly type: FeedEventType;
  readonly data: Record<string, unknown>;
}

/** Where an event stands in its Project's feed, and what it is about. */
export interface FeedEntry {
  readonly position: number;
  readonly type: FeedEventType;
}

/**
 * Queues these events, in the transaction that appends them, for whoever is to hear of them;
 * returns how many deliveries that makes.
 */
export type FanOut = (
  write: Pick<ProjectWrite, 'tx' | 'projectId' | 'config' | 'realNow'>,
  entries: readonly FeedEntry[],
) => Promise<number>;

/**
 * One transaction on one Project, its head locked: everything read through `tx` from here
 * on is the newest, and nobody else writes to the Project until it ends.
 */
export interface ProjectWrite {
  readonly projectId: string;
  readonly tx: Tx;
  /** The Project's time: never earlier than that of any earlier fact. */
  readonly now: Instant;
  /** The real time, which a test clock runs ahead of: for what is not about the Project's data. */
  readonly realNow: Instant;
  readonly newId: NewId;
  /** Settings as they stand, from this process's memory where it knows them. Not to be changed. */
  config<T>(part: ConfigPart<T>): Promise<T>;
  /** Makes every process read the Project's settings anew. */
  changeConfig(): ConfigTx;
  /** The next number of a list, from 1, without gaps. */
  nextNumber(list: string): number;
  /** Adds an event to the feed, in the order of the calls. */
  append(type: FeedEventType, data: Record<string, unknown>): void;
}

export type Outcome<A> =
  | {
      readonly answer: A;
      /** The participant whose data the answer holds: erasing them erases the kept answer. */
      readonly participantId?: string;
    }
  | { readonly refused: AppError };

export interface Command<C> {
  readonly request: WriteRequest;
  readonly input: C;
}

/**
 * Takes the commands of one transaction and returns an outcome for each, in order.
 * A batch must leave exactly what its commands would leave one by one.
 */
export interface Handler<C, A, L = undefined> {
  readonly name: string;
  readonly batchMax: number;
  /** Running a command again after it was carried out changes nothing and answers the same. */
  readonly repeatable: boolean;
  /** Its commands are bounded by whoever sends them, and are never refused for what waits here. */
  readonly isBounded?: true;
  /**
   * Asks for what can be asked without knowing the head. It goes out with the lock, behind it,
   * so that it is read under the lock and saves a round trip.
   */
  load?(tx: Tx, projectId: string, commands: readonly Command<C>[]): Promise<L>;
  run(write: ProjectWrite, commands: readonly Command<C>[], loaded: L): Promise<Outcome<A>[]>;
}
