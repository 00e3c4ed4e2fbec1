import type { ServiceMethod } from '../src/domain/rewards/decide/states.ts';
import type {
  DeliverAnswer,
  FindAnswer,
  Reported,
  RewardOrder,
  RewardProvider,
} from '../src/domain/rewards/delivery/provider.ts';

export type RewardFault =
  /** Nobody hears, and nothing was done, or it was. */
  | 'lost_order'
  | 'lost_answer'
  /** The provider says that something broke, before or after it was done. */
  | 'broken'
  | 'broken_after'
  | 'throttled'
  | 'rejected'
  /** Nobody hears, and it is done only when `land` says so. */
  | 'lands_later'
  /** It lets nobody in, neither to do something nor to ask. */
  | 'locked_out'
  /** It cannot say what was done. */
  | 'cannot_say';

const LOCKED_OUT = { state: 'locked_out', message: 'The key was revoked.' } as const;

/** A provider as they are: it does a thing once under each key, whatever becomes of the answers. */
export class MemoryRewards implements RewardProvider {
  readonly method: ServiceMethod;
  readonly connected = new Set<string>();
  /** All that it has done, in order. */
  readonly done = new Map<string, RewardOrder>();
  /** All that it was asked or told, in order. */
  readonly calls: string[] = [];
  readonly #faults: RewardFault[] = [];
  readonly #late: RewardOrder[] = [];

  constructor(method: ServiceMethod) {
    this.method = method;
  }

  async isConnected(projectId: string): Promise<boolean> {
    return this.connected.has(projectId);
  }

  carriable(amountMinor: bigint): bigint {
    return amountMinor;
  }

  deliver(order: RewardOrder): Promise<DeliverAnswer> {
    return this.#perform('deliver', order);
  }

  takeBack(order: RewardOrder): Promise<DeliverAnswer> {
    return this.#perform('take back', order);
  }

  async find(order: RewardOrder): Promise<FindAnswer> {
    this.calls.push(`find ${order.key}`);
    if (this.#faults[0] === 'cannot_say') {
      this.#faults.shift();
      return { state: 'unknown', isAnswered: false };
    }
    if (this.#faults[0] === 'locked_out') {
      this.#faults.shift();
      return LOCKED_OUT;
    }
    return this.done.has(order.key)
      ? { state: 'delivered', reference: `mem_${order.key}` }
      : { state: 'none' };
  }

  async report(
    _projectId: string,
    account: string,
    rewardIds: readonly string[],
  ): Promise<Reported> {
    return new Map(rewardIds.map((rewardId) => [rewardId, this.has(rewardId, account)]));
  }

  /** What somebody has of a Reward by now: minor units, or 1 for a discount. */
  has(rewardId: string, account?: string): bigint {
    let sum = 0n;
    for (const order of this.done.values()) {
      if (order.rewardId !== rewardId || (account ?? order.account) !== order.account) continue;
      if (order.money) sum += order.money.amountMinor;
      else sum += order.step === 'grant' ? 1n : -1n;
    }
    return sum;
  }

  /** What goes wrong with the next calls, one after another. */
  fault(...faults: RewardFault[]): void {
    this.#faults.push(...faults);
  }

  /** What was on its way arrives, and is done unless it was meanwhile. */
  land(): void {
    for (const order of this.#late.splice(0)) {
      if (!this.done.has(order.key)) this.done.set(order.key, order);
    }
  }

  async #perform(what: string, order: RewardOrder): Promise<DeliverAnswer> {
    this.calls.push(`${what} ${order.key}`);
    const fault = this.#faults.shift();
    if (fault === 'lost_order') throw new Error('socket hang up');
    if (fault === 'throttled') return { state: 'retry', message: 'Too many requests.' };
    if (fault === 'rejected') return { state: 'refused', message: 'No such customer.' };
    if (fault === 'locked_out') return LOCKED_OUT;
    if (fault === 'lands_later') {
      this.#late.push(order);
      throw new Error('socket hang up');
    }
    if (fault === 'broken') return { state: 'unknown', isAnswered: true };
    const known = this.done.get(order.key);
    if (known && JSON.stringify(plain(known)) !== JSON.stringify(plain(order))) {
      throw new Error(`${order.key} was used for something else.`);
    }
    this.done.set(order.key, order);
    if (fault === 'lost_answer') throw new Error('socket hang up');
    if (fault === 'broken_after') return { state: 'unknown', isAnswered: true };
    return { state: 'delivered', reference: `mem_${order.key}` };
  }
}

const plain = ({ money, ...order }: RewardOrder) => ({
  ...order,
  money: money && `${money.amountMinor} ${money.currency}`,
});
