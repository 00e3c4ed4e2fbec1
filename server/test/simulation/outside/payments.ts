import type { VirtualTime } from '../authority/virtual-time.ts';
import type { Booked, BookedMethod, Books, TransferEnd } from './books.ts';
import { PaypalBooks } from './paypal-books.ts';
import { StripeBooks, type StripePart } from './stripe-books.ts';
import { VirtualNetwork } from './virtual-network.ts';
import { WiseBooks } from './wise-books.ts';

/** All who move money for the service. */
export class Payments {
  readonly paypal: PaypalBooks;
  readonly stripe: StripeBooks;
  readonly #books: Readonly<Record<BookedMethod, Books>>;
  /** So many transfers of each were ordered from a store that was lost since. */
  readonly #forgotten: Record<BookedMethod, number> = { wise: 0, paypal: 0, stripe_connect: 0 };

  constructor(time: VirtualTime) {
    this.paypal = new PaypalBooks(time);
    this.stripe = new StripeBooks(time);
    const wise = new WiseBooks(time);
    this.#books = { wise, paypal: this.paypal, stripe_connect: this.stripe.connect };
    const servers = [wise, this.paypal].map(({ origin, answer }) => [origin, answer] as const);
    new VirtualNetwork(time, new Map(servers)).install();
  }

  /** What was ordered so far does not come back any more: a person would have to tell the service. */
  forgetOrders(): void {
    for (const method of ['wise', 'paypal', 'stripe_connect'] as const)
      this.#forgotten[method] = this.#books[method].list().length;
    this.stripe.forgetOrders();
  }

  get forgotten(): number {
    return Object.values(this.#forgotten).reduce((sum, count) => sum + count, 0);
  }

  fault(number: number, at: BookedMethod | StripePart): void {
    if (at === 'stripe' || at === 'discounts') this.stripe.fault(number, at);
    else this.#books[at].fault(number);
  }

  heal(): void {
    for (const books of Object.values(this.#books)) books.heal();
    this.stripe.heal();
  }

  /** Of the transfers that can end so, the n-th does. Returns whether there was one. */
  end(nth: number, to: TransferEnd, at: BookedMethod): boolean {
    return this.#books[at].end(nth, to, this.#forgotten[at]);
  }

  /** Everything under way arrives. */
  sendAll(): void {
    for (const books of Object.values(this.#books)) books.sendAll();
  }

  /** Those that were forgotten first. */
  get transfers(): readonly Booked[] {
    const all = Object.values(this.#books).flatMap((books) => books.list());
    return all.toSorted((a, b) => (a.madeAt < b.madeAt ? -1 : a.madeAt > b.madeAt ? 1 : 0));
  }

  /** What a provider keeps of the key of an order. */
  markOf(method: BookedMethod, key: string): string {
    return this.#books[method].markOf(key);
  }
}
