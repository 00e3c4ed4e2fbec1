import { createFakeStripe, type StripeFault } from '../../stripe/fake-stripe.ts';
import { listenAt } from '../authority/virtual-sockets.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';

export const STRIPE_KEY = 'rk_live_51AbCdEfGhIjKlMnOp';

const DAY_MS = 86_400_000;
/** Longer than the service waits for an answer, and shorter than until it asks what became of the call. */
export const LATE_MS = 75_000;

/** How the next call goes wrong that credits something, or that asks what was credited. */
export const STRIPE_FAULTS = [
  ['POST', 'reset_before'],
  ['POST', 'reset_after'],
  ['POST', 'reset_after'],
  ['POST', 'silence_before'],
  ['POST', 'silence_after'],
  ['POST', 'silence_after'],
  ['POST', 'error_before'],
  ['POST', 'error_after'],
  ['POST', 'throttled'],
  ['POST', 'conflict'],
  ['POST', 'late'],
  ['POST', 'gateway'],
  ['POST', 'unauthorized'],
  ['GET', 'reset_before'],
  ['GET', 'silence_before'],
  ['GET', 'throttled'],
  ['GET', 'unauthorized'],
] as const satisfies readonly (readonly [string, StripeFault])[];

/** What the service has added to the balance of a customer. */
export interface Credited {
  readonly customer: string;
  readonly reward: string;
  readonly attempt: string;
  /** In the customer's favour. */
  readonly amountMinor: bigint;
  readonly createdMs: number;
}

/** The Project's own account at Stripe, which no crash and no restore of the service touches. */
export class StripeBooks {
  readonly #time: VirtualTime;
  readonly #stripe: ReturnType<typeof createFakeStripe>;
  #lastMs = 0;
  /** So many credits were ordered from a store that was lost since. */
  #forgotten = 0;
  /** So many were there when the restored store was still on hold. */
  #held = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
    this.#stripe = createFakeStripe({ nowMs: () => time.nowMs });
    listenAt(time, 'api.stripe.com:443', (socket) => {
      // A day passes at once in a world, or not at all.
      if (time.nowMs - this.#lastMs > DAY_MS) this.#stripe.forgetKeys();
      this.#lastMs = time.nowMs;
      this.#stripe.server.emit('connection', socket);
    });
  }

  addCustomers(ids: readonly string[]): void {
    const account = this.#stripe.account(STRIPE_KEY);
    for (const id of ids) account.addCustomer({ id });
  }

  fault(number: number): void {
    const fault = STRIPE_FAULTS[number % STRIPE_FAULTS.length] as (typeof STRIPE_FAULTS)[number];
    const [method, what] = fault;
    const struck = this.#stripe.fault(what, { method, path: /balance_transactions/ });
    if (what !== 'late' && what !== 'gateway') return;
    void struck.then(() => this.#time.addTimer(() => this.#stripe.land(), LATE_MS));
  }

  heal(): void {
    this.#stripe.mend();
    this.#stripe.land();
  }

  forgetOrders(): void {
    this.#forgotten = this.credits.length;
    this.#held = this.#forgotten;
  }

  /** The restored store may not pay yet. */
  noteHold(): void {
    this.#held = this.credits.length;
  }

  get forgotten(): readonly Credited[] {
    return this.credits.slice(0, this.#forgotten);
  }

  /** What was credited before anybody let the restored store pay again. */
  get heedless(): readonly Credited[] {
    return this.credits.slice(this.#forgotten, this.#held);
  }

  get credits(): readonly Credited[] {
    return this.#stripe.account(STRIPE_KEY).balanceTransactions.map((one) => ({
      customer: one.customer,
      reward: one.metadata.rewardId ?? '',
      attempt: one.metadata.attempt ?? '',
      createdMs: one.created * 1_000,
      amountMinor: BigInt(-one.amount),
    }));
  }
}
