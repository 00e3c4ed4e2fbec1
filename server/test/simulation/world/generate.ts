import { makeRandom } from '../../random.ts';
import { addConnect } from './connect.ts';
import { addCoupons } from './coupons.ts';
import { addCurrencies } from './currencies.ts';
import { chance } from './draw.ts';
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
import { addPaypal } from './paypal.ts';
import { addStripe } from './stripe.ts';
import { addSubscriptions } from './subscriptions.ts';

/** A world of a seed, with about so many operations. What is added draws from numbers of its own. */
export function generateWorld(seed: number, operations: number): WorldSpec {
  const spec = addSome(generateCore(seed, operations));
  const random = makeRandom(seed ^ 0x3a4d);
  const all = chance(random, 25) ? addMany(spec, random) : spec;
  const numbers = makeRandom(seed ^ 0x1b0c);
  const billed = chance(numbers, 20) ? addInvoices(all, numbers) : all;
  const ways = makeRandom(seed ^ 0x9a1d);
  const paid = paysOut(billed) && chance(ways, 45) ? addPaypal(billed, ways) : billed;
  const others = makeRandom(seed ^ 0xc0ec);
  const isLost = billed.operations.some(({ kind }) => kind === 'put_back');
  const isByWise = paysOut(billed) && paid.paidBy === undefined;
  const wired = isByWise && !isLost && chance(others, 40) ? addConnect(paid, others) : paid;
  const balances = makeRandom(seed ^ 0x57a1);
  const kept = !isLost && chance(balances, 25) ? addStripe(wired, balances) : wired;
  const losses = makeRandom(seed ^ 0x1057);
  const credited = isLost && chance(losses, 50) ? addStripe(kept, losses) : kept;
  const letters = makeRandom(seed ^ 0x3a11);
  const mailed = !isLost && chance(letters, 20) ? addMail(credited, letters) : credited;
  const rest = makeRandom(seed ^ 0x0f01);
  const followed = !isLost && chance(rest, 30) ? addFollowUps(mailed, rest) : mailed;
  const times = makeRandom(seed ^ 0x1a7e);
  const dated = chance(times, 20) ? addLate(followed, times) : followed;
  const deeds = makeRandom(seed ^ 0x10a1);
  const active = chance(deeds, 25) ? addLoyalty(dated, deeds) : dated;
  const money = makeRandom(seed ^ 0x0e0b);
  const isPaid = paysOut(active) || active.stripe;
  const exchanged = !isPaid && chance(money, 50) ? addCurrencies(active, money) : active;
  const discounts = makeRandom(seed ^ 0xc0b0);
  return !isLost && chance(discounts, 25) ? addCoupons(exchanged, discounts) : exchanged;
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
