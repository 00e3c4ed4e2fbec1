import { readAddress } from '../../src/domain/participants/email-keys.ts';
import { drawEmail, drawName, type PersonName } from './addresses.ts';
import type { Call, Deed, Label, World } from './calls.ts';
import type { Draw } from './draw.ts';
import { drawCarrier, drawHome, mobileAddress } from './networks.ts';

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Referrals begin within these days; purchases and refunds follow. */
export const DAYS = 56;

export interface Person {
  readonly id: string;
  readonly name: PersonName;
  readonly email: string;
  readonly home: string;
  readonly carrier: number;
  readonly card: string;
  readonly account: string;
}

/** How one person brings another. */
export interface Invitation {
  readonly label: Label;
  readonly referrer: Person;
  readonly referee: Person;
  /** When the link is followed or the code typed. */
  readonly at: number;
  /** From where the referee follows the link. */
  readonly ip: string;
  /** From the click to the signup. */
  readonly seconds: number;
  readonly isTyped?: boolean;
}

/** Writes down what the people of one world do. */
export class Shop {
  readonly draw: Draw;
  readonly #calls: Call[] = [];
  readonly #labels = new Map<string, Label>();
  readonly #mailboxes = new Set<string>();
  readonly #openedAt = new Map<string, number>();
  readonly #signedUpAt = new Map<string, number>();
  #people = 0;
  #orders = 0;
  #places = 0;

  constructor(draw: Draw) {
    this.draw = draw;
  }

  newPerson(some: Partial<Person> = {}): Person {
    this.#people += 1;
    const id = `p${this.#people}`;
    const name = some.name ?? drawName(this.draw);
    return {
      id,
      name,
      email: this.#newAddress(name),
      home: drawHome(this.draw),
      carrier: drawCarrier(this.draw),
      card: `card-${id}`,
      account: `account-${id}`,
      ...some,
    };
  }

  /** Nobody else has it, also with other tags and dots. */
  #newAddress(name: PersonName): string {
    const email = drawEmail(this.draw, name);
    const mailbox = JSON.stringify(readAddress(email));
    if (this.#mailboxes.has(mailbox)) return this.#newAddress(name);
    this.#mailboxes.add(mailbox);
    return email;
  }

  /** The number of an office or a server of its own. */
  newPlace(): number {
    this.#places = (this.#places + 1) % 256;
    return this.#places;
  }

  add(at: number, deed: Deed): void {
    this.#calls.push({ at: Math.round(at), ...deed });
  }

  /** Somebody opens the panel to get a link, once and after their own signup; when that was. */
  advocate({ id, email, home }: Person, at: number, ip = home): number {
    const known = this.#openedAt.get(id);
    if (known !== undefined) return known;
    const openedAt = Math.max(at, (this.#signedUpAt.get(id) ?? 0) + MINUTE);
    this.#openedAt.set(id, openedAt);
    if (!this.#signedUpAt.has(id)) this.add(openedAt - 10, { do: 'register', person: id, email });
    this.add(openedAt, { do: 'panel', person: id, ip });
    return openedAt;
  }

  /** The referee follows the link, or types the code, and signs up; when that was. */
  invite({ label, referrer, referee, at, ip, seconds, isTyped }: Invitation): number {
    const openedAt = this.advocate(referrer, at - HOUR);
    const clickedAt = Math.round(Math.max(at, openedAt + MINUTE));
    const signedUpAt = clickedAt + Math.round(seconds);
    const person = referee.id;
    const browser = isTyped ? null : `browser-${person}`;
    if (browser) this.add(clickedAt, { do: 'land', browser, of: referrer.id, ip });
    this.add(signedUpAt - 1, { do: 'register', person, email: referee.email });
    this.add(signedUpAt, { do: 'signup', person, browser, referrer: referrer.id });
    this.#labels.set(person, label);
    this.#signedUpAt.set(person, signedUpAt);
    return signedUpAt;
  }

  /** A purchase, which may be refunded some days later. */
  buy(
    person: Person,
    at: number,
    { refundedPercent = 8, refundedAfter = 4 * DAY, card = person.card } = {},
  ): void {
    this.#orders += 1;
    const order = `order-${this.#orders}`;
    this.add(at, { do: 'purchase', person: person.id, order, card });
    if (this.draw.chance(refundedPercent)) {
      this.add(at + this.draw.around(refundedAfter, 0.6), { do: 'refund', order });
    }
  }

  /** What a usual customer does after the signup. */
  live(person: Person, since: number, { refundedPercent = 8, card = person.card } = {}): void {
    const { draw } = this;
    if (draw.chance(35)) {
      const ip = draw.chance(50) ? person.home : mobileAddress(draw, person.carrier);
      this.advocate(person, since + draw.around(HOUR, 1.5), ip);
    }
    if (draw.chance(55)) {
      const first = since + draw.around(8 * HOUR, 2);
      this.buy(person, first, { refundedPercent, card });
      for (let at = first; draw.chance(35); ) {
        at += draw.around(12 * DAY, 0.7);
        this.buy(person, at, { refundedPercent, card });
      }
    }
    if (draw.chance(10)) this.payOut(person, since + draw.around(5 * DAY));
  }

  payOut(person: Person, at: number, account = person.account): void {
    this.add(at, { do: 'payout', person: person.id, account });
  }

  get world(): World {
    const calls = this.#calls.toSorted((one, other) => one.at - other.at);
    return { calls, labels: this.#labels };
  }
}

/** How long people take from the click to the signup: mostly minutes, some come back days later. */
export function drawSeconds(draw: Draw): number {
  if (draw.chance(12)) return draw.around(20 * HOUR, 1.2);
  // A signup with an account that the browser knows takes the fewest seconds.
  if (draw.chance(15)) return Math.max(3, draw.around(12, 0.5));
  return Math.max(12, draw.around(110, 0.9));
}

/** Where people follow a link. */
export const drawPlace = (draw: Draw, { home, carrier }: Person): string =>
  draw.chance(55) ? home : mobileAddress(draw, carrier);

/** Adds a group of people: a referrer and those they bring. */
export type Story = (shop: Shop, label: Label) => void;

/** The stories of an intent by kind, and how many groups of each a world has. */
export type Stories = Readonly<Record<string, { readonly story: Story; readonly groups: number }>>;
