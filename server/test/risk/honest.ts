import { aliasOf, drawLetters, numbered, workEmail } from './addresses.ts';
import type { Label } from './calls.ts';
import { campusAddress, mobileAddress, officeAddress } from './networks.ts';
import {
  DAY,
  DAYS,
  drawPlace,
  drawSeconds,
  HOUR,
  MINUTE,
  type Person,
  type Shop,
  type Story,
} from './shop.ts';

interface Bringing {
  readonly referee?: Partial<Person>;
  readonly ip?: string;
  readonly seconds?: number;
  readonly refundedPercent?: number;
  readonly card?: string;
}

/** One honest referral: the referee is a person of their own, who lives on as a customer. */
function bring(
  shop: Shop,
  label: Label,
  { referrer, at }: { referrer: Person; at: number },
  some: Bringing = {},
): Person {
  const { draw } = shop;
  const referee = shop.newPerson(some.referee);
  const signedUpAt = shop.invite({
    label,
    referrer,
    referee,
    at,
    ip: some.ip ?? drawPlace(draw, referee),
    seconds: some.seconds ?? drawSeconds(draw),
    isTyped: draw.chance(12),
  });
  shop.live(referee, signedUpAt, some);
  return referee;
}

const someDay = (shop: Shop) => DAY + shop.draw.whole(0, (DAYS - 1) * DAY);

/** As many as most bring: one, sometimes a few. */
function drawFew(shop: Shop, most: number): number {
  let count = 1;
  while (count < most && shop.draw.chance(45)) count += 1;
  return count;
}

/** Friends of friends, in homes and on phones of their own; some bring others in turn. */
const friends: Story = (shop, label) => {
  let referrer = shop.newPerson();
  const at = someDay(shop);
  const count = drawFew(shop, 6);
  for (let index = 0; index < count; index += 1) {
    const friend = bring(shop, label, { referrer, at: at + shop.draw.around(index * 3 * DAY, 1) });
    if (shop.draw.chance(15)) referrer = friend;
  }
  if (shop.draw.chance(30)) shop.payOut(referrer, at + shop.draw.around(6 * DAY));
};

/** Somebody with readers of their own, who come day by day. */
const blog: Story = (shop, label) => {
  const referrer = shop.newPerson();
  for (let index = 0; index < 40; index += 1) bring(shop, label, { referrer, at: someDay(shop) });
  shop.payOut(referrer, 10 * DAY);
};

/** A video brings hundreds within hours, half of them within the first. */
const viralDay: Story = (shop, label) => {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const at = someDay(shop);
  for (let index = 0; index < 300; index += 1) {
    bring(shop, label, { referrer, at: at + draw.around(HOUR, 1.1) });
  }
};

/** People of one home, often at the same table; some pay with one card or are paid to one account. */
const family: Story = (shop, label) => {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const { home, name } = referrer;
  const at = someDay(shop);
  const count = drawFew(shop, 4);
  for (let index = 0; index < count; index += 1) {
    const person = shop.newPerson();
    const isTogether = draw.chance(60);
    const member = {
      home,
      name: { first: person.name.first, last: name.last },
      ...(draw.chance(1) ? { email: aliasOf(draw, referrer.email, index + 1) } : {}),
      ...(draw.chance(10) ? { account: referrer.account } : {}),
    };
    bring(
      shop,
      label,
      { referrer, at: at + (isTogether ? draw.whole(MINUTE, HOUR) : draw.around(4 * DAY)) },
      {
        referee: member,
        ...(draw.chance(75) ? { ip: home } : {}),
        ...(isTogether ? { seconds: Math.max(5, draw.around(60, 0.7)) } : {}),
        ...(draw.chance(8) ? { card: referrer.card } : {}),
      },
    );
  }
  if (draw.chance(30)) shop.payOut(referrer, at + draw.around(6 * DAY));
};

/** Brothers and sisters whose addresses differ by a digit. */
const siblings: Story = (shop, label) => {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const { home } = referrer;
  const at = someDay(shop);
  const email = numbered(referrer.email, draw.whole(1, 99));
  const ip = draw.chance(60) ? { ip: home } : {};
  bring(shop, label, { referrer, at }, { referee: { home, email }, ...ip });
};

/** People who write their own address with tags or dots, to see who passes it on. */
const tagged: Story = (shop, label) => {
  const { draw } = shop;
  const own = shop.newPerson();
  const referrer = shop.newPerson({ email: aliasOf(draw, own.email, 2) });
  const at = someDay(shop);
  for (let index = 0; index < 2; index += 1) {
    const email = aliasOf(draw, shop.newPerson().email, 2);
    bring(shop, label, { referrer, at: at + index * draw.around(3 * DAY) }, { referee: { email } });
  }
};

/** Colleagues behind one address, many of them right after a message to all. */
const office: Story = (shop, label) => {
  const { draw } = shop;
  const number = shop.newPlace();
  const domain = `${drawLetters(draw, 7)}.com`;
  // Some companies number their people.
  const isNumbered = draw.chance(3);
  const referrer = shop.newPerson();
  const at = someDay(shop);
  shop.advocate(referrer, at - HOUR, officeAddress(draw, number));
  const count = drawFew(shop, 4) + (draw.chance(25) ? draw.whole(3, 9) : 0);
  const isMessage = draw.chance(60);
  for (let index = 0; index < count; index += 1) {
    const person = shop.newPerson();
    const email = isNumbered ? `staff${1_000 + index}@${domain}` : workEmail(person.name, domain);
    bring(
      shop,
      label,
      { referrer, at: at + (isMessage ? draw.around(20 * MINUTE) : draw.around(5 * DAY)) },
      {
        referee: { name: person.name, ...(draw.chance(60) ? { email } : {}) },
        ...(draw.chance(85) ? { ip: officeAddress(draw, number) } : {}),
      },
    );
  }
};

/** Students of one campus; one in ten is an ambassador who brings a course. */
const university: Story = (shop, label) => {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const at = someDay(shop);
  shop.advocate(referrer, at - HOUR, draw.chance(70) ? campusAddress(draw) : referrer.home);
  const count = draw.chance(8) ? draw.whole(10, 25) : drawFew(shop, 6);
  for (let index = 0; index < count; index += 1) {
    bring(
      shop,
      label,
      { referrer, at: at + draw.around(2 * DAY, 1.2) },
      draw.chance(70) ? { ip: campusAddress(draw) } : {},
    );
  }
};

/** Friends with phones of one carrier, which gives hundreds of people the same address. */
const carrier: Story = (shop, label) => {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const at = someDay(shop);
  shop.advocate(referrer, at - HOUR, mobileAddress(draw, referrer.carrier));
  const count = drawFew(shop, 6);
  for (let index = 0; index < count; index += 1) {
    const ip = mobileAddress(draw, referrer.carrier);
    const referee = { carrier: referrer.carrier };
    bring(shop, label, { referrer, at: at + draw.around(2 * DAY) }, { referee, ip });
  }
};

/** A talk whose last slide shows a code: a room on one wireless network. */
const meetup: Story = (shop, label) => {
  const { draw } = shop;
  const number = shop.newPlace();
  const referrer = shop.newPerson();
  const at = someDay(shop);
  for (let index = 0; index < 20; index += 1) {
    const ip = draw.chance(50) ? { ip: officeAddress(draw, number) } : {};
    bring(shop, label, { referrer, at: at + draw.around(15 * MINUTE, 1.2) }, ip);
  }
};

/** People who order three sizes and send two back. */
const returners: Story = (shop, label) => {
  const { draw } = shop;
  const referrer = shop.newPerson();
  const at = someDay(shop);
  for (let index = 0; index < 6; index += 1) {
    const when = { referrer, at: at + draw.around(index * 2 * DAY, 0.5) };
    bring(shop, label, when, { refundedPercent: 30 });
  }
};

/** How many groups of each kind a world has. */
export const HONEST: Readonly<Record<string, { readonly story: Story; readonly groups: number }>> =
  {
    friends: { story: friends, groups: 480 },
    blog: { story: blog, groups: 4 },
    'viral day': { story: viralDay, groups: 1 },
    family: { story: family, groups: 150 },
    siblings: { story: siblings, groups: 30 },
    'tags and dots': { story: tagged, groups: 40 },
    office: { story: office, groups: 55 },
    university: { story: university, groups: 75 },
    'mobile carrier': { story: carrier, groups: 65 },
    meetup: { story: meetup, groups: 1 },
    returners: { story: returners, groups: 12 },
  };
