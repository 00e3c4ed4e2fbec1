import { makeRandom } from '../../random.ts';
import { addConnect } from './connect.ts';
import { addCoupons } from './coupons.ts';
import { addCurrencies } from './currencies.ts';
import { chance, type Random } from './draw.ts';
import { Drawing } from './drawing.ts';
import { addFollowUps } from './follow-ups.ts';
import { generateEndpoint, generateProgram } from './generate-programs.ts';
import { addGroups } from './groups.ts';
import { addImports } from './imports.ts';
import { addInvoices } from './invoices.ts';
import { addLate } from './late.ts';
import { addLoyalty } from './loyalty.ts';
import { addMail } from './mail.ts';
import { addMany } from './many.ts';
import { paysOut, type WorldSpec } from './operations.ts';
import { addPartners } from './partners.ts';
import { addPaypal } from './paypal.ts';
import { addStripe } from './stripe.ts';
import { addSubscriptions } from './subscriptions.ts';

/** What some worlds have, beside what all have. */
interface Addition {
  /** The worlds that can have it; absent: all. */
  readonly fits?: (spec: WorldSpec) => boolean;
  readonly percent: number;
  /** It draws from numbers of its own, so that a world without it is the same as if there was no such thing. */
  readonly salt: number;
  readonly add: (spec: WorldSpec, random: Random) => WorldSpec;
}

const isLost = ({ operations }: WorldSpec) => operations.some(({ kind }) => kind === 'put_back');
const isKept = (spec: WorldSpec) => !isLost(spec);
const isPaidByWise = (spec: WorldSpec) => paysOut(spec) && spec.paidBy === undefined;
const isInDollars = (spec: WorldSpec) => paysOut(spec) || spec.stripe === true;

/** One after the other. */
const ADDITIONS: readonly Addition[] = [
  { percent: 25, salt: 0x3a4d, add: addMany },
  { percent: 20, salt: 0x1b0c, add: addInvoices },
  { fits: paysOut, percent: 45, salt: 0x9a1d, add: addPaypal },
  {
    fits: (spec) => isPaidByWise(spec) && isKept(spec),
    percent: 40,
    salt: 0xc0ec,
    add: addConnect,
  },
  { fits: isKept, percent: 25, salt: 0x57a1, add: addStripe },
  { fits: isLost, percent: 50, salt: 0x1057, add: addStripe },
  { fits: isKept, percent: 20, salt: 0x3a11, add: addMail },
  { fits: isKept, percent: 30, salt: 0x0f01, add: addFollowUps },
  { percent: 20, salt: 0x1a7e, add: addLate },
  { percent: 25, salt: 0x10a1, add: addLoyalty },
  { fits: (spec) => isKept(spec) && !spec.mail, percent: 35, salt: 0xaff1, add: addPartners },
  { fits: (spec) => !isInDollars(spec), percent: 50, salt: 0x0e0b, add: addCurrencies },
  { fits: isKept, percent: 25, salt: 0xc0b0, add: addCoupons },
];

/** A world of a seed, with about so many operations. */
export function generateWorld(seed: number, operations = drawSize(seed)): WorldSpec {
  return ADDITIONS.reduce(
    (spec, { fits, percent, salt, add }) => {
      const random = makeRandom(seed ^ salt);
      const isAdded = (fits?.(spec) ?? true) && chance(random, percent);
      return isAdded ? add(spec, random) : spec;
    },
    addSome(generateCore(seed, operations)),
  );
}

/** Most worlds are small: they cost little, and most mistakes need few operations. Some need many, in some order. */
function drawSize(seed: number): number {
  const random = makeRandom(seed ^ 0x512e);
  const place = random(1_000);
  if (place < 700) return 5 + random(20);
  if (place < 945) return 25 + random(55);
  return place < 995 ? 80 + random(80) : 200 + random(301);
}

function addSome(spec: WorldSpec): WorldSpec {
  const random = makeRandom(spec.seed ^ 0x6704);
  if (chance(random, 35)) return addGroups(spec, random);
  if (chance(random, 30)) return addSubscriptions(spec, random);
  // What is imported is not reviewed.
  const isReviewed = spec.programs.some(({ risk }) => risk !== undefined);
  return !isReviewed && chance(random, 45) ? addImports(spec, random) : spec;
}

function generateCore(seed: number, operations: number): WorldSpec {
  const random = makeRandom(seed);
  const people = 4 + random(12);
  const isReviewed = chance(random, 25);
  const programs = Array.from({ length: 1 + random(2) }, (_, index) =>
    generateProgram(random, index, isReviewed),
  );
  const endpoints = Array.from({ length: random(3) }, (_, index) =>
    generateEndpoint(random, index),
  );
  const processes = 1 + random(2);
  const isFaulty = chance(random, 75);
  const draw = new Drawing(random, { people, programs, endpoints, processes, isFaulty });
  return {
    seed,
    processes,
    people,
    programs,
    endpoints,
    operations: Array.from({ length: operations }, (_, index) => draw.next(index)),
  };
}
