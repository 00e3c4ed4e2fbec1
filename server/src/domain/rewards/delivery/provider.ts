import type { Instant } from '../../../platform/kit/instant.ts';
import type { DurationMode } from '../../programs/rules/benefit-words.ts';
import type { DeliveryStep, ServiceMethod } from './decide-delivery.ts';

/** What a provider is to do for one Reward, under one key. */
export interface RewardOrder {
  readonly projectId: string;
  readonly rewardId: string;
  /** Of several things done for one Reward, which: for the provider to tell them apart. */
  readonly attempt: number;
  /** Of two orders under one key a provider carries out one: Reward id and attempt. */
  readonly key: string;
  readonly step: DeliveryStep;
  /** The beneficiary at the provider. */
  readonly account: string;
  /** What is to be added to what they have; below zero to be taken back. Null if it is not money. */
  readonly money: { readonly amountMinor: bigint; readonly currency: string } | null;
  readonly discount: {
    readonly rateBps: number;
    readonly durationMode: DurationMode;
    readonly durationMonths: number | null;
  } | null;
  /** Nothing was done for it before, by the real time. */
  readonly since: Instant;
}

/**
 * Certainly not done, since the Project's account does not let us in: nothing is wrong with the
 * Reward. A `message` is for the log: why, and no secrets.
 */
export interface LockedOut {
  readonly state: 'locked_out';
  readonly message: string;
}

export type DeliverAnswer =
  /** Done, now or by an earlier call under the same key. */
  | { readonly state: 'delivered'; readonly reference: string }
  /** Certainly not done, and no use to try again as things are. */
  | { readonly state: 'refused'; readonly message: string }
  /** Certainly not done, and worth another try. */
  | { readonly state: 'retry'; readonly message: string }
  | LockedOut
  /**
   * Done, or not. `isAnswered` if the provider did answer, with a fault of its own: then it is at
   * it no more, and would say the same again under this key.
   */
  | { readonly state: 'unknown'; readonly isAnswered: boolean; readonly message?: string };

export type FindAnswer =
  | Extract<DeliverAnswer, { state: 'delivered' }>
  /** The provider is certain that nothing was done under this key. */
  | { readonly state: 'none' }
  /** Some steps of several were done, or may have been; the same order, sent again, does the rest. */
  | { readonly state: 'begun' }
  /** It does not let us ask, either. */
  | LockedOut
  | { readonly state: 'unknown'; readonly isAnswered: false };

/** What a provider has of Rewards, by its own books: minor units, or 1 for a discount that is there. */
export type Reported = ReadonlyMap<string, bigint>;

/**
 * Whoever delivers Rewards for the service. Answers for what it can say and throws nothing that it
 * can foresee; what it does throw counts as unknown.
 */
export interface RewardProvider {
  readonly method: ServiceMethod;
  /** Whether the Project has an account with it through which Rewards can go. */
  isConnected(projectId: string): Promise<boolean>;
  /** As much of an amount as it can carry exactly, towards zero. */
  carriable(amountMinor: bigint, currency: string): bigint;
  /** Grants, and corrects what was granted. */
  deliver(order: RewardOrder): Promise<DeliverAnswer>;
  takeBack(order: RewardOrder): Promise<DeliverAnswer>;
  /** Looks for what was done under the order's key, by what it left at the provider. */
  find(order: RewardOrder): Promise<FindAnswer>;
  /**
   * What it has of these Rewards of one account; one that it does not name, it has nothing of.
   * Nothing was done for any of them before `since`, by the real time.
   */
  report(
    projectId: string,
    account: string,
    rewardIds: readonly string[],
    since: Instant,
  ): Promise<Reported>;
}
