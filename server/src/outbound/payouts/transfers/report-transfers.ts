import type { Queryable } from '../../../platform/db/driver.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import { listOrderedParts } from '../batches/part-store.ts';
import type { FindProvider, TransferReport } from '../provider.ts';
import { refOf } from './call-provider.ts';
import type { PayoutRow } from './payout.ts';
import { listPayouts } from './payout-store.ts';

const CALLS_MAX = 8;

/** A transfer's expected state, and its provider's record; null if the provider cannot be asked. */
export interface ReportedTransfer {
  readonly payout: PayoutRow;
  readonly report: TransferReport | null;
}

/**
 * The providers' records of a project's transfers, newest first, below a payout number. `last` is
 * the number of the last one, null if there are no more.
 */
export async function reportTransfers(
  deps: { readonly reads: Queryable; readonly findProvider: FindProvider },
  projectId: string,
  below: number | null,
  limit: number,
): Promise<{ transfers: ReportedTransfer[]; last: number | null }> {
  const parts = await listOrderedParts(deps.reads, projectId, below, limit + 1);
  const page = parts.slice(0, limit);
  const rows = await listPayouts(
    deps.reads,
    page.map(({ payoutId }) => payoutId),
  );
  const payouts = new Map(rows.map((row) => [row.id, row]));
  const limited = createLimit(CALLS_MAX);
  const transfers = await Promise.all(
    page.map(({ payoutId }) => {
      const payout = payouts.get(payoutId);
      if (!payout) throw new Error(`Payout ${payoutId} has no header.`);
      return limited(async () => ({ payout, report: await ask(deps.findProvider, payout) }));
    }),
  );
  return { transfers, last: parts.length > limit ? (page.at(-1)?.number ?? null) : null };
}

const NOTHING: TransferReport = { state: 'none', amountMinor: null, currency: null };

async function ask(findProvider: FindProvider, payout: PayoutRow): Promise<TransferReport | null> {
  // No order was sent yet.
  if (payout.sentAt === null) return NOTHING;
  const provider = await findProvider(payout);
  if (!provider || provider.connectionId !== payout.connectionId) return null;
  return provider.report(refOf(payout, payout.sentAt)).catch(() => null);
}
