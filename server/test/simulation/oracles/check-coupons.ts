import type { Expected } from '../model/contract.ts';
import type { Terms } from '../model/facts.ts';
import type { Coupon, StripeBooks } from '../outside/stripe-books.ts';
import type { Actor } from '../world/actor.ts';
import { customerOf, nameOf } from '../world/names.ts';
import type { Shown, Wire } from './wire.ts';

/** A discount that the service gives, and what the contract says of it. */
export interface Discount {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** Null as long as nobody has said who they are there. */
  readonly customer: string | null;
  readonly rateBps: number | null;
  readonly terms: Pick<Terms, 'durationMode' | 'durationMonths'>;
  /** What is not taken back of somebody erased cannot be: nobody knows any more who they are. */
  readonly isErased: boolean;
  /** A dispute or a review holds it. */
  readonly isHeld: boolean;
}

/** Every customer has the discounts that they should, once, and no other. */
export function checkCoupons(
  actor: Actor,
  { coupons }: Pick<StripeBooks, 'coupons'>,
  shown: Shown,
  expected: Expected,
): string[] {
  const discounts = listDiscounts(actor, shown, expected);
  const known = new Set(shown.rewards.filter(isDiscount).map(({ id }) => id));
  return [
    ...discounts.flatMap((one) =>
      judgeDiscount(
        one,
        coupons.filter(({ reward }) => reward === one.id),
      ),
    ),
    ...coupons.flatMap(({ reward }) =>
      known.has(reward) ? [] : [`there is a coupon of ${reward}, which does not exist`],
    ),
  ];
}

/** By all coupons that were ever made of it: one that was taken back may be given again. */
export function judgeDiscount(one: Discount, coupons: readonly Coupon[]): string[] {
  const { name, customer, isErased } = one;
  const findings: string[] = [];
  const places = coupons.flatMap((coupon) => coupon.places);
  if (places.length > 1) findings.push(`${name} is given ${places.length} times`);
  for (const place of places)
    if (customer !== null && place.customer !== customer)
      findings.push(`${name} is given to ${place.customer}, not ${customer}`);
  switch (one.status) {
    case 'fulfilled': {
      // An invoice uses up a discount, and a subscription ends with it.
      const given = coupons.find((coupon) => coupon.isRedeemed || coupon.places.length > 0);
      if (!given) findings.push(`${name} is ${one.status}, and not given`);
      else findings.push(...compareTerms(one, given));
      break;
    }
    case 'pending':
      if (customer !== null && !one.isHeld && !isErased)
        findings.push(`${name} is pending for ever`);
      if (places.length > 0) findings.push(`${name} is pending, and given`);
      break;
    case 'revocation_pending':
      if (!isErased) findings.push(`${name} is not taken back`);
      break;
    default:
      if (places.length > 0) findings.push(`${name} is ${one.status}, and given`);
  }
  return findings;
}

function compareTerms({ name, rateBps, terms }: Discount, coupon: Coupon): string[] {
  const { durationMode, durationMonths = null } = terms;
  const duration = durationMode === 'months' ? 'repeating' : durationMode;
  const is = `${coupon.percent} ${coupon.duration} ${coupon.months}`;
  const must = `${(rateBps ?? 0) / 100} ${duration} ${durationMonths}`;
  return is === must ? [] : [`the coupon of ${name} is ${is}, and must be ${must}`];
}

function listDiscounts(actor: Actor, shown: Shown, { rewards, referrals }: Expected): Discount[] {
  const customers = new Map<string, string>();
  for (const { operation, answer } of actor.acknowledged)
    if (operation.kind === 'bill' && answer.status === 200)
      customers.set(nameOf(operation.person), customerOf(operation.person));
  const erased = new Set([...actor.erased.keys()].map(nameOf));
  return shown.rewards.filter(isDiscount).flatMap((reward): Discount[] => {
    const name = shown.nameOf(reward);
    const one = rewards.get(name);
    if (!one) return [];
    const { beneficiary, referee, size, terms } = one;
    return [
      {
        id: reward.id,
        name,
        status: one.status,
        customer: customers.get(beneficiary) ?? null,
        rateBps: size,
        terms,
        isErased: erased.has(beneficiary),
        isHeld:
          reward.delivery.reason === 'dispute_open' || referrals.get(referee)?.review === 'open',
      },
    ];
  });
}

const isDiscount = ({ delivery }: Wire): boolean => delivery.method === 'stripe_coupon';
