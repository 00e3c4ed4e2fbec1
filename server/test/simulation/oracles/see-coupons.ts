import type { StripeBooks } from '../outside/stripe-books.ts';
import type { Sightings } from '../world/sightings.ts';
import type { Shown } from './wire.ts';

/** What became of discounts at Stripe. */
export function seeCoupons({ coupons }: StripeBooks, shown: Shown, sightings: Sightings): void {
  for (const { places, isRedeemed } of coupons) {
    for (const { by } of places) sightings.see(`a discount by a ${by}`);
    if (isRedeemed && places.length === 0) sightings.see('a discount was used up or taken back');
  }
  for (const { delivery, fulfillmentStatus } of shown.rewards)
    if (delivery.method === 'stripe_coupon') sightings.see(`discount ${fulfillmentStatus}`);
}
