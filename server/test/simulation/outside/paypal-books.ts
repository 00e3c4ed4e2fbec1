import { type PaypalBatch, type PaypalFault, PaypalServer } from '../../paypal/server.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Booked, TransferEnd, WebBooks } from './books.ts';

const DAY_MS = 86_400_000;
/** The service looks after what was paid for a month. */
const RETURNED_MS = 25 * DAY_MS;
const DEAF_MS = 60_000;

/** How the next order, or whatever can fail so, goes wrong. */
export const PAYPAL_FAULTS = [
  ...(['lost_order', 'lost_answer', 'lost_answer', 'hang', 'hang'] as const),
  ...(['server_error', 'throttled', 'no_funds', 'conflict'] as const),
  ...(['cannot_say', 'duplicate_without_link', 'rejected'] as const),
  ...(['tokens', 'webhooks'] as const),
] as const satisfies readonly (PaypalFault | 'tokens' | 'webhooks')[];

const UNDER_WAY = ['PENDING', 'UNCLAIMED', 'ONHOLD'];
const GONE = ['FAILED', 'BLOCKED', 'RETURNED', 'REFUNDED', 'REVERSED'];

/** What an item becomes, and why; which of them follows from the number of the transfer. */
const ENDS: Readonly<Record<TransferEnd, readonly (readonly [string, string | null])[]>> = {
  // Most wait for their payee, or for PayPal, at first.
  sent: [
    ['SUCCESS', null],
    ['UNCLAIMED', 'RECEIVER_UNREGISTERED'],
    ['ONHOLD', null],
    ['SUCCESS', null],
  ],
  cancelled: [
    ['FAILED', 'RECEIVER_ACCOUNT_LOCKED'],
    ['BLOCKED', null],
    ['DENIED', null],
    ['FAILED', 'RISK_DECLINE'],
  ],
  refunded: [
    ['RETURNED', 'RECEIVER_UNREGISTERED'],
    ['REVERSED', null],
    ['REFUNDED', null],
  ],
};

export class PaypalBooks implements WebBooks {
  readonly origin = 'https://api-m.paypal.com';
  readonly answer: PaypalServer['answer'];
  readonly #time: VirtualTime;
  readonly #paypal: PaypalServer;

  constructor(time: VirtualTime) {
    this.#time = time;
    this.#paypal = new PaypalServer({ nowMs: () => time.nowMs });
    this.answer = this.#paypal.answer.bind(this.#paypal);
  }

  fault(number: number): void {
    const fault = PAYPAL_FAULTS[number % PAYPAL_FAULTS.length] as (typeof PAYPAL_FAULTS)[number];
    if (fault === 'tokens') this.#paypal.endTokens();
    else if (fault === 'webhooks') this.#turnDeaf();
    else this.#paypal.fault(fault);
  }

  /** For a while it cannot say what it has sent. */
  #turnDeaf(): void {
    this.#paypal.isDeaf = true;
    this.#time.addTimer(() => {
      this.#paypal.isDeaf = false;
    }, DEAF_MS);
  }

  heal(): void {
    this.#paypal.heal();
  }

  end(nth: number, to: TransferEnd, forgotten: number): boolean {
    const since = this.#time.nowMs - RETURNED_MS;
    const known = this.#paypal.batches.slice(to === 'sent' ? 0 : forgotten);
    const open = known.filter(({ status, batchStatus, madeAt }) => {
      if (batchStatus === 'DENIED') return false;
      if (to !== 'refunded') return UNDER_WAY.includes(status);
      return [...UNDER_WAY, 'SUCCESS'].includes(status) && Date.parse(madeAt) > since;
    });
    const batch = open[nth % Math.max(1, open.length)];
    if (!batch) return false;
    const ends = ENDS[to];
    const [status, error] = ends[nth % ends.length] as (typeof ends)[number];
    batch.error = error;
    if (status === 'DENIED') batch.batchStatus = status;
    else batch.status = status;
    return true;
  }

  sendAll(): void {
    for (const one of this.#paypal.batches)
      if (UNDER_WAY.includes(one.status)) Object.assign(one, { status: 'SUCCESS', error: null });
  }

  list(): Booked[] {
    return this.#paypal.batches.map((one) => ({
      method: 'paypal',
      reference: one.id,
      mark: one.key,
      account: one.item.receiver,
      amountMinor: BigInt(Math.round(Number(one.item.amount.value) * 100)),
      madeAt: one.madeAt,
      taken: 1,
      hasArrived: hasArrived(one),
    }));
  }

  markOf(key: string): string {
    return key;
  }

  /** What its website shows of the time since, as the ids of batches. */
  showSince(ms: number): string[] {
    return this.#paypal.batches
      .filter(({ madeAt }) => Date.parse(madeAt) >= ms)
      .map(({ id }) => id);
  }

  get hasBatches(): boolean {
    return this.#paypal.batches.length > 0;
  }

  /** A webhook about the n-th batch, as PayPal sends it. */
  announce(nth: number): { readonly headers: Record<string, string>; readonly body: object } {
    const { batches } = this.#paypal;
    const batch = batches[nth % batches.length];
    if (!batch) throw new Error('PayPal has nothing to announce.');
    const transmission = `${batch.id}-${this.#paypal.sent.size}`;
    this.#paypal.sent.add(transmission);
    return {
      headers: {
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
        'paypal-transmission-id': transmission,
        'paypal-transmission-sig': 'c2lnbmVk',
        'paypal-transmission-time': new Date(this.#time.nowMs).toISOString(),
      },
      body: {
        event_type: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
        resource: { payout_batch_id: batch.id, payout_item: batch.item },
      },
    };
  }
}

const hasArrived = ({ status, batchStatus }: PaypalBatch): boolean =>
  batchStatus !== 'DENIED' && !GONE.includes(status);
