import type { Customers } from './slice.ts';

export function outsideKey(participantId: string, subscriptionId: string): string {
  return `${participantId}\n${subscriptionId}`;
}

export function isCustomer({ known, bought }: Customers, participantId: string): boolean {
  return known.has(participantId) || bought.has(participantId);
}

/**
 * The first invoice of a subscription often arrives before the news that it started. That
 * one does not make its payer an old customer.
 */
export function isCustomerOutside(
  { knownOutside, bought }: Customers,
  participantId: string,
  subscriptionId: string,
): boolean {
  if (knownOutside.has(outsideKey(participantId, subscriptionId))) return true;
  return [...(bought.get(participantId) ?? [])].some((one) => one !== subscriptionId);
}

/** Whether this is the first purchase of theirs that is credited to their referral. */
export function rememberCredited({ credited }: Customers, participantId: string): boolean {
  if (credited.has(participantId)) return false;
  credited.add(participantId);
  return true;
}

export function rememberCustomer(
  { bought }: Customers,
  participantId: string,
  subscriptionId: string | null,
): void {
  bought.set(participantId, (bought.get(participantId) ?? new Set()).add(subscriptionId));
}
