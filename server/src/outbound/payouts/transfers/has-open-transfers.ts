import type { Queryable } from '../../../platform/db/driver.ts';
import { findOpenTransfer } from './payout-store.ts';

/** Whether anything that was ordered through this account has not come to an end yet. */
export async function hasOpenTransfers(source: Queryable, connectionId: string): Promise<boolean> {
  return (await findOpenTransfer(source, connectionId)) !== undefined;
}
