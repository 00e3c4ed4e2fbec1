import type { StripeBooks } from '../outside/stripe-books.ts';
import type { Sightings } from '../world/sightings.ts';
import type { Shown } from './wire.ts';

/** What became of credit on balances. */
export function seeCredits(
  { credits, forgotten }: StripeBooks,
  shown: Shown,
  sightings: Sightings,
): void {
  const known = new Set(shown.rewards.map(({ id }) => id));
  for (const { reward } of forgotten)
    sightings.see(
      `a credit of a ${known.has(reward) ? 'restored' : 'lost'} reward was known to Stripe`,
    );
  for (const { attempt, amountMinor } of credits) {
    if (amountMinor < 0n) sightings.see('a credit was taken back');
    else sightings.see(`a balance was credited${Number(attempt) > 1 ? ' again' : ''}`);
  }
  for (const { delivery } of shown.rewards)
    if (delivery.method === 'stripe_balance' && delivery.reason === 'awaiting_billing_account')
      sightings.see('a credit waits for its customer');
}
