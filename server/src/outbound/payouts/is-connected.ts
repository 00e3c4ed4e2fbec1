import type { PayoutDeps } from './payout-deps.ts';

type Place = Parameters<PayoutDeps['findProvider']>[0];

/** Whether there is an account to pay from. What is paid by hand needs none. */
export async function isConnected(
  { findProvider }: Pick<PayoutDeps, 'findProvider'>,
  place: Place,
): Promise<boolean> {
  return place.method === 'manual_export' || (await findProvider(place)) !== null;
}
