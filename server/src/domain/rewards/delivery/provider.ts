import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import { type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { DurationMode } from '../../programs/rules/benefit-words.ts';
import type { ServiceMethod } from '../decide/states.ts';
import type { DeliveryStep } from './decide-delivery.ts';

/** An order for a provider: one step for one Reward, with one key. */
export interface RewardOrder {
  readonly projectId: string;
  readonly rewardId: string;
  /** Distinguishes the steps of one Reward at the provider. */
  readonly attempt: number;
  /** A provider carries out one of two orders with the same key: Reward id and attempt. */
  readonly key: string;
  readonly step: DeliveryStep;
  /** The beneficiary at the provider. */
  readonly account: string;
  /** Added to what they have; negative to be taken back. Null if it is not money. */
  readonly money: { readonly amountMinor: bigint; readonly currency: string } | null;
  readonly discount: {
    readonly rateBps: number;
    readonly durationMode: DurationMode;
    readonly durationMonths: number | null;
  } | null;
  /** Nothing was done for it earlier, in real time. */
  readonly since: Instant;
}

/**
 * Certainly not done, because the Project's account denies access: nothing is wrong with the
 * Reward. `message` is for the log: why, without secrets.
 */
export interface LockedOut {
  readonly state: 'locked_out';
  readonly message: string;
}

export type DeliverAnswer =
  /** Done, now or by an earlier call with the same key. */
  | { readonly state: 'delivered'; readonly reference: string }
  /** Certainly not done, and a retry cannot help as things are. */
  | { readonly state: 'refused'; readonly message: string }
  /** Certainly not done; retry. */
  | { readonly state: 'retry'; readonly message: string }
  | LockedOut
  /**
   * Done, or not. `isAnswered` if the provider did respond, with an error of its own: then it has
   * stopped working on it, and would give the same response for this key.
   */
  | { readonly state: 'unknown'; readonly isAnswered: boolean; readonly message?: string };

export type FindAnswer =
  | Extract<DeliverAnswer, { state: 'delivered' }>
  /** The provider is certain that nothing was done with this key. */
  | { readonly state: 'none' }
  /** Some of several steps were done, or may have been; sending the same order again does the rest. */
  | { readonly state: 'begun' }
  /** It denies access to this query, too. */
  | LockedOut
  | { readonly state: 'unknown'; readonly isAnswered: false };

/** What a provider has of Rewards, by its own records: minor units, or 1 for an existing discount. */
export type Reported = ReadonlyMap<string, bigint>;

/** A credit in a provider's own list that the service ordered. */
export interface GivenCredit {
  readonly reference: string;
  readonly rewardId: string;
  readonly attempt: number;
  /** In upper case. */
  readonly currency: string;
  /** Negative if it was taken back. */
  readonly amountMinor: bigint;
  readonly madeAt: Instant;
}

/**
 * Delivers Rewards for the service. Returns an answer for every foreseeable error; a thrown error
 * counts as unknown.
 */
export interface RewardProvider {
  readonly method: ServiceMethod;
  /** Whether the Project has an account with it through which Rewards can be delivered. */
  isConnected(projectId: string): Promise<boolean>;
  /** The part of an amount that it can represent exactly, rounded towards zero. */
  carriable(amountMinor: bigint, currency: string): bigint;
  /** Grants, or corrects a grant. */
  deliver(order: RewardOrder): Promise<DeliverAnswer>;
  takeBack(order: RewardOrder): Promise<DeliverAnswer>;
  /** Looks for what was done with the order's key, by its traces at the provider. */
  find(order: RewardOrder): Promise<FindAnswer>;
  /**
   * What the provider has of these Rewards of one account; Rewards that it does not name have
   * nothing. Nothing was done for any of them before `since`, in real time.
   */
  report(
    projectId: string,
    account: string,
    rewardIds: readonly string[],
    since: Instant,
  ): Promise<Reported>;
  /**
   * All credits that the service ordered for the Project on one account, since a real time. Rejects
   * when they are unknown. Absent if the provider gives no money.
   */
  readonly listGiven?: (
    projectId: string,
    account: string,
    since: Instant,
  ) => Promise<readonly GivenCredit[]>;
}

export interface RewardDeliveryDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  /** At most one per method. */
  readonly providers: readonly RewardProvider[];
}

/** How long a process holds a delivery exclusively. If it dies, the delivery is due again after that. */
export const LEASE_MS = 5 * MINUTE_MS;

/** The methods by which the service can deliver for a Project. */
export async function findConnected(
  providers: readonly RewardProvider[],
  projectId: string,
): Promise<ServiceMethod[]> {
  const connected = await Promise.all(
    providers.map(async (provider) =>
      (await provider.isConnected(projectId)) ? [provider.method] : [],
    ),
  );
  return connected.flat();
}
