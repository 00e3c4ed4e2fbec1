import { connectRoutes, platformOf } from '../../stripe/connect.ts';
import type { StripeBooks as FakeStripe, StripeFault } from '../../stripe/fake-stripe.ts';
import type { StripeRoute } from '../../stripe/route.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Booked, Books, TransferEnd } from './books.ts';

export const PLATFORM_KEY = 'sk_live_51PlAtFoRmPlAtFoRm';

const DAY_MS = 86_400_000;
/** The service looks after what was paid for a month. */
const RETURNED_MS = 25 * DAY_MS;

/** How the next call about transfers goes wrong. */
export const CONNECT_FAULTS = [
  ['POST', 'reset_before'],
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
  ['GET', 'silence_before'],
  ['GET', 'throttled'],
  ['GET', 'unauthorized'],
] as const satisfies readonly (readonly [string, StripeFault])[];

/** Whoever is sent to Stripe's form fills it in at once. */
export const onboardingRoutes: readonly StripeRoute[] = connectRoutes.map((route) =>
  route.path !== '/v1/account_links'
    ? route
    : {
        ...route,
        run(call) {
          const link = route.run(call);
          const { connected } = platformOf(call.account);
          const payee = connected.get(String(call.params.account));
          if (payee) {
            Object.assign(payee, { details_submitted: true, payouts_enabled: true });
            payee.capabilities.transfers = 'active';
          }
          return link;
        },
      },
);

/** The account that a company pays from by Stripe Connect, and those of its payees. */
export class ConnectBooks implements Books {
  readonly #time: VirtualTime;
  readonly #stripe: Pick<FakeStripe, 'account' | 'fault' | 'land'>;
  readonly #land: (struck: Promise<void>, what: StripeFault) => void;

  constructor(
    time: VirtualTime,
    stripe: Pick<FakeStripe, 'account' | 'fault' | 'land'>,
    land: (struck: Promise<void>, what: StripeFault) => void,
  ) {
    this.#time = time;
    this.#stripe = stripe;
    this.#land = land;
  }

  get #platform() {
    return platformOf(this.#stripe.account(PLATFORM_KEY));
  }

  fault(number: number): void {
    const [method, what] = CONNECT_FAULTS[
      number % CONNECT_FAULTS.length
    ] as (typeof CONNECT_FAULTS)[number];
    this.#land(this.#stripe.fault(what, { method, path: /^\/v1\/transfers/ }), what);
  }

  /** What is wrong with Stripe is mended for all of its accounts at once. */
  heal(): void {}

  /** A transfer has arrived as soon as it is made, and can be reversed. */
  end(nth: number, to: TransferEnd, forgotten: number): boolean {
    const sinceMs = this.#time.nowMs - RETURNED_MS;
    const open = this.#platform.transfers
      .slice(forgotten)
      .filter(({ reversed, created }) => !reversed && created * 1_000 > sinceMs);
    const transfer = open[nth % Math.max(1, open.length)];
    if (to !== 'refunded' || !transfer) return false;
    Object.assign(transfer, { amount_reversed: transfer.amount, reversed: true });
    return true;
  }

  sendAll(): void {}

  list(): Booked[] {
    const { transfers, connected } = this.#platform;
    return transfers.map((one) => ({
      method: 'stripe_connect',
      reference: one.id,
      mark: one.metadata.key ?? '',
      // Whose it is, as it was when the account was made.
      account: connected.get(one.destination)?.metadata.participantId ?? '',
      amountMinor: BigInt(one.amount),
      madeAt: new Date(one.created * 1_000).toISOString(),
      taken: 1,
      hasArrived: !one.reversed,
    }));
  }

  markOf(key: string): string {
    return key;
  }
}
