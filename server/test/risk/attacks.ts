import { aliasOf, disposableEmail, drawLetters, numbered } from './addresses.ts';
import type { Label } from './calls.ts';
import { mobileAddress, proxyAddress, serverAddress } from './networks.ts';
import {
  DAY,
  DAYS,
  drawSeconds,
  HOUR,
  MINUTE,
  type Person,
  type Shop,
  type Stories,
  type Story,
} from './shop.ts';

const someDay = (shop: Shop) => DAY + shop.draw.whole(0, (DAYS - 7) * DAY);

/** The nth of the people that somebody makes up. */
type Invent = (self: Person, number: number) => Partial<Person>;

/** How one person types the same form again: faster than others, slower than a program. */
const drawTyping = (shop: Shop) => Math.max(11, shop.draw.around(30, 0.5));

/** One person with ten accounts, at home or on the phone, in one evening or day by day. */
function signUpAgain(shop: Shop, label: Label, invent: Invent): void {
  const { draw } = shop;
  const self = shop.newPerson();
  const { home, carrier } = self;
  const isPhone = label.intent === 'attack' && draw.chance(20);
  const gap = draw.chance(65) ? 8 * MINUTE : DAY;
  const start = someDay(shop);
  for (let number = 1; number <= 10; number += 1) {
    const referee = shop.newPerson({ home, carrier, ...invent(self, number) });
    const signedUpAt = shop.invite({
      label,
      referrer: self,
      referee,
      at: start + number * gap + draw.around(gap / 3),
      ip: isPhone ? mobileAddress(draw, carrier) : home,
      seconds: drawTyping(shop),
    });
    if (draw.chance(40)) shop.buy(referee, signedUpAt + draw.around(2 * HOUR));
  }
}

const tenAddresses: Story = (shop, label) => {
  const { draw } = shop;
  const isAlias = draw.chance(60);
  signUpAgain(shop, label, ({ email }, number) => ({
    email: isAlias ? aliasOf(draw, email, number) : numbered(email, number),
  }));
};

/** Ten names that have nothing to do with each other, all from one home. */
const oneHome: Story = (shop, label) => signUpAgain(shop, label, () => ({}));

/** Accounts that refer each other: each brings the next, one brings all, or they close a circle. */
const ring: Story = (shop, label) => {
  const { draw } = shop;
  const count = draw.whole(3, 20);
  const sharesAccount = draw.chance(65);
  const shape = sharesAccount ? draw.pick(['star', 'chain', 'circle']) : 'circle';
  const sharesHome = !sharesAccount || draw.chance(50);
  const first = shop.newPerson();
  const members = [
    first,
    ...Array.from({ length: count - 1 }, () =>
      shop.newPerson({
        ...(sharesHome ? { home: first.home } : {}),
        ...(sharesAccount ? { account: first.account } : {}),
      }),
    ),
  ];
  const gap = sharesHome ? 15 * MINUTE : 3 * HOUR;
  let at = someDay(shop);
  for (const member of members) {
    shop.advocate(member, at - DAY);
    if (sharesAccount) shop.payOut(member, at + draw.around(2 * HOUR));
  }
  const bring = (referrer: Person, referee: Person) => {
    at += draw.around(gap);
    const signedUpAt = shop.invite({
      label,
      referrer,
      referee,
      at,
      ip: referee.home,
      seconds: sharesHome ? drawTyping(shop) : drawSeconds(draw),
    });
    if (draw.chance(80)) shop.buy(referee, signedUpAt + draw.around(DAY));
  };
  members.slice(1).forEach((referee, index) => {
    bring(shape === 'star' ? first : (members[index] ?? first), referee);
  });
  if (shape === 'circle') bring(members.at(-1) ?? first, first);
};

/** A program that signs up hundreds, from one server or through proxies. */
function signUpHundreds(shop: Shop, label: Label, isTyped: boolean): void {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const server = draw.chance(60) ? shop.newPlace() : null;
  const fake = draw.pick(['numbered', 'letters', 'domain']);
  const domain = fake === 'domain' ? `${drawLetters(draw, 9)}.com` : 'gmail.com';
  const isNumbered = fake === 'numbered' && !isTyped;
  let at = someDay(shop);
  for (let number = 1; number <= 200; number += 1) {
    at += draw.whole(4, 20);
    const letters = `${drawLetters(draw, 9)}@${domain}`;
    shop.invite({
      label,
      referrer,
      referee: shop.newPerson({
        email: isNumbered ? numbered(referrer.email, 1_000 + number) : letters,
      }),
      at,
      ip: server === null ? proxyAddress(draw) : serverAddress(draw, server),
      seconds: draw.whole(1, 3),
      isTyped,
    });
  }
}

/** One accomplice after the other buys, the referrer is rewarded, and everything is sent back. */
const refunders: Story = (shop, label) => {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const sharesHome = draw.chance(50);
  const count = draw.whole(10, 20);
  let at = DAY + draw.whole(0, 20 * DAY);
  for (let index = 0; index < count; index += 1) {
    at += draw.around(1.5 * DAY, 0.4);
    const referee = shop.newPerson(sharesHome ? { home: referrer.home } : {});
    const signedUpAt = shop.invite({
      label,
      referrer,
      referee,
      at,
      ip: referee.home,
      seconds: drawSeconds(draw),
    });
    for (let order = draw.whole(1, 2); order > 0; order -= 1) {
      const boughtAt = signedUpAt + draw.around(4 * HOUR);
      shop.buy(referee, boughtAt, { refundedPercent: 95, refundedAfter: DAY });
    }
  }
};

/** One person with throw-away addresses, at home or behind a VPN. */
const disposable: Story = (shop, label) => {
  const { draw } = shop;
  const self = shop.newPerson();
  const server = draw.chance(30) ? shop.newPlace() : null;
  const count = draw.whole(5, 15);
  let at = someDay(shop);
  for (let index = 0; index < count; index += 1) {
    at += draw.around(10 * MINUTE);
    shop.invite({
      label,
      referrer: self,
      referee: shop.newPerson({ email: disposableEmail(draw), home: self.home }),
      at,
      ip: server === null ? self.home : serverAddress(draw, server),
      seconds: drawTyping(shop),
    });
  }
};

/** People who are careful about networks and addresses; `shared` is what they cannot hide. */
function hideBehind(shop: Shop, label: Label, shared: 'account' | 'card' | null): void {
  const { draw } = shop;
  const self = shop.newPerson();
  const count = draw.whole(4, 10);
  let at = someDay(shop);
  if (shared === 'account') shop.payOut(self, at);
  if (shared === 'card') shop.buy(self, at);
  for (let index = 0; index < count; index += 1) {
    at += draw.around(DAY);
    const referee = shop.newPerson(shared ? { [shared]: self[shared] } : {});
    const signedUpAt = shop.invite({
      label,
      referrer: self,
      referee,
      at,
      ip: proxyAddress(draw),
      seconds: drawSeconds(draw),
    });
    const isLate = draw.chance(20);
    if (shared === 'account') shop.payOut(referee, signedUpAt + (isLate ? 5 * DAY : 10 * MINUTE));
    const orders = draw.whole(1, 2);
    for (let order = 1; order <= orders; order += 1) {
      shop.buy(referee, signedUpAt + draw.around(order * 12 * HOUR, 0.5));
    }
  }
}

export const ATTACKS: Stories = {
  'one person, ten addresses': { story: tenAddresses, groups: 10 },
  ring: { story: ring, groups: 12 },
  script: { story: (shop, label) => signUpHundreds(shop, label, false), groups: 1 },
  refunders: { story: refunders, groups: 6 },
  'disposable addresses': { story: disposable, groups: 8 },
  'shared payout account': {
    story: (shop, label) => hideBehind(shop, label, 'account'),
    groups: 8,
  },
  'shared card': { story: (shop, label) => hideBehind(shop, label, 'card'), groups: 8 },
};

/** What nothing tells from honest people, whatever the points. */
export const HIDDEN: Stories = {
  'one home, ten names': { story: oneHome, groups: 4 },
  'a script that sends codes': {
    story: (shop, label) => signUpHundreds(shop, label, true),
    groups: 1,
  },
  'nothing in common': { story: (shop, label) => hideBehind(shop, label, null), groups: 4 },
};
