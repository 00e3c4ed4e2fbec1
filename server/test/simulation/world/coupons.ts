import type { Terms } from '../model/facts.ts';
import { CUSTOMER_DEEDS, DISCOUNT_FAULTS } from '../outside/stripe-books.ts';
import { chance, pick, type Random } from './draw.ts';
import { partiesOf } from './names.ts';
import type { Operation, ProgramSpec, WorldSpec } from './operations.ts';

/** Numbers of operations that are there because the service gives discounts at Stripe. */
const FIRST_ID = 110_000;

/** The same world, in which discounts are coupons at Stripe, which customers get on their subscriptions or by a code. */
export function addCoupons(spec: WorldSpec, random: Random): WorldSpec {
  const isFaulty = chance(random, 75);
  const operations: Operation[] = [];
  let added = 0;
  const add = (operation: object) => {
    added += 1;
    operations.push({ id: FIRST_ID + added, gapMs: 0, ...operation } as Operation);
  };
  for (const [at, one] of spec.operations.entries()) {
    operations.push(one.kind === 'terms' ? { ...one, terms: toDiscount(one.terms, random) } : one);
    const person = random(partiesOf(spec));
    const isEarly = at < 2 * spec.people;
    if (!spec.stripe && chance(random, isEarly ? 45 : 6)) add({ kind: 'bill', person });
    if (chance(random, 12)) add({ kind: 'customer', person, deed: pick(random, CUSTOMER_DEEDS) });
    if (isFaulty && chance(random, 12))
      add({ kind: 'provider', fault: random(DISCOUNT_FAULTS.length), at: 'discounts' });
    if (chance(random, 12)) add({ kind: 'wait', ms: pick(random, [1_500, 6_000, 70_000]) });
    if (!isEarly && chance(random, 6)) add({ kind: 'void', person, nth: random(8) });
  }
  return { ...spec, coupons: true, programs: spec.programs.map(withCoupons(random)), operations };
}

const withCoupons =
  (random: Random) =>
  (program: ProgramSpec): ProgramSpec => ({
    ...program,
    methods: { ...program.methods, discountMethod: 'stripe_coupon' },
    rules: program.rules.map((rule) => ({ ...rule, terms: toDiscount(rule.terms, random) })),
  });

/** Most of what is no money is a discount. None is for a milestone, as with credit (`stripe.ts`). */
function toDiscount(terms: Terms, random: Random): Terms {
  const { milestone, tiers, quantity, rateBps, ...rest } = terms;
  if (terms.benefitKind === 'discount')
    return milestone ? { ...rest, calculation: 'percentage', rateBps: rateBps ?? 1_000 } : terms;
  if (terms.benefitKind !== 'custom' || chance(random, 30)) return terms;
  const rate = pick(random, [333, 1_000, 10_000]);
  return { ...rest, benefitKind: 'discount', calculation: 'percentage', rateBps: rate };
}
