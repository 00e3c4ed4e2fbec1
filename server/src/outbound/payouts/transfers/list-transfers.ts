import type { Queryable } from '../../../platform/db/driver.ts';
import type { PayoutRow } from './payout.ts';
import { listPayoutsTo } from './payout-store.ts';

/** A payout as its payee sees it: one transfer, whatever Projects it pays for. */
export type Transfer = Pick<
  PayoutRow,
  | 'id'
  | 'method'
  | 'currency'
  | 'currencyExponent'
  | 'amountMinor'
  | 'status'
  | 'failureReason'
  | 'paidAt'
  | 'createdAt'
>;

/** What was sent to a Partner, newest first, below an id if one is given; not what is still planned. */
export function listTransfers(
  source: Queryable,
  partnerId: string,
  beforeId: string | null,
  limit: number,
): Promise<Transfer[]> {
  return listPayoutsTo(source, partnerId, beforeId, limit);
}
