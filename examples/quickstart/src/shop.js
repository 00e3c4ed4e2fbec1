import { randomUUID } from 'node:crypto';
import { formatMoney, formatRate } from './format.js';
import { Refused } from './goodword.js';
import { Outbox } from './outbox.js';

export const PRODUCT = { name: 'The Morning Mug', amountMinor: 4_000, currency: 'USD' };

/** @typedef {{ id: string, amountMinor: number, currency: string }} Order */
/** @typedef {import('./goodword.js').Discount} Discount */

/**
 * Somebody with an account. Goodword knows them by `id` alone, which never changes.
 * @typedef {object} Person
 * @property {string} id
 * @property {string} name
 * @property {string} cartId The id that their next order will have.
 * @property {Discount | null} discount To be taken off the next order.
 * @property {{ text: string }[]} notes What happened, for the page to tell.
 */

/** People and their orders. They live in memory: your product's database stands here. */
export class Shop {
  #goodword;
  #outbox = new Outbox();
  /** @type {Map<string, Person>} By name, as there are no passwords here. */
  #people = new Map();

  /** @param {import('./goodword.js').Goodword} goodword */
  constructor(goodword) {
    this.#goodword = goodword;
  }

  /**
   * Signs somebody up, or in again if the name is known. `told` resolves once Goodword knows.
   * @param {string} name
   * @param {string | undefined} handle Of the cookie `service_handle`.
   * @returns {{ person: Person, told: Promise<void> }}
   */
  enter(name, handle) {
    const known = this.#people.get(name.toLowerCase());
    if (known) {
      // A login is no signup.
      note(known, `${known.name} signed in again. Goodword need not know.`);
      return { person: known, told: Promise.resolve() };
    }
    /** @type {Person} */
    const person = {
      id: `user-${randomUUID()}`,
      name,
      cartId: newOrderId(),
      discount: null,
      notes: [],
    };
    this.#people.set(name.toLowerCase(), person);
    const told = this.#tell(person, `signup of ${name}`, async () => {
      const { eventId, attribution } = await this.#goodword.signUp(person.id, handle);
      if (!attribution) return [`signup of ${name}, without a friend’s link.`];
      person.discount = await this.#goodword.findDiscount(eventId);
      const gift = person.discount && `Goodword gave ${name} ${rateOf(person.discount)} off.`;
      return [`signup of ${name}. A friend’s link gets the credit for it.`, gift];
    });
    return { person, told };
  }

  /** @param {Person} person */
  priceFor({ discount }) {
    const { amountMinor } = PRODUCT;
    return amountMinor - Math.round((amountMinor * (discount?.rateBps ?? 0)) / 10_000);
  }

  /**
   * Buys once, however often the same cart is sent: the order's id was made before the click.
   * Resolves once Goodword knows.
   * @param {Person} person
   * @param {string | null} cartId
   */
  async buy(person, cartId) {
    if (cartId !== person.cartId) return;
    const { name, discount } = person;
    /** @type {Order} */
    const order = {
      id: cartId,
      amountMinor: this.priceFor(person),
      currency: PRODUCT.currency,
    };
    // Up to here nothing is awaited, so of two clicks at once only the first gets through.
    person.cartId = newOrderId();
    person.discount = null;
    const paid = formatMoney(order.amountMinor, order.currency);
    await this.#tell(person, `purchase of ${paid} by ${name}`, async () => {
      await this.#goodword.buy(person.id, order);
      if (!discount) return [`purchase of ${paid} by ${name}.`];
      await this.#goodword.reportGrant(discount.rewardId, order.id);
      return [
        `purchase of ${paid} by ${name}.`,
        `Told Goodword: ${name} got the ${rateOf(discount)} off.`,
      ];
    });
  }

  /**
   * @param {Person} person
   * @param {string} what
   * @param {() => Promise<(string | null)[]>} send Gives what to say of it: what was told, and what followed.
   */
  #tell(person, what, send) {
    const line = note(person, `Telling Goodword: ${what} …`);
    return this.#outbox.add(
      async () => {
        const [told, followed] = await send();
        line.text = `Told Goodword: ${told}`;
        if (followed) note(person, followed);
      },
      (error) => {
        line.text =
          error instanceof Refused
            ? `Goodword refused: ${what}. ${error.message}`
            : `Goodword is told again in a moment: ${what}. ${error.message}`;
      },
    );
  }
}

/** @param {Discount} discount */
const rateOf = ({ rateBps }) => formatRate(rateBps);

const newOrderId = () => `order-${randomUUID()}`;

/**
 * @param {Person} person
 * @param {string} text
 */
function note(person, text) {
  const line = { text };
  person.notes.push(line);
  return line;
}
