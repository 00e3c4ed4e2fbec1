import type { Instant } from '../../kit/instant.ts';
import { findPurchase, findTaken } from '../../tracking/find-purchase.ts';
import { adjust } from './adjust.ts';
import { factIds } from './fact-ids.ts';
import type { Handling } from './handled.ts';
import {
  type InvoiceRow,
  insertReversal,
  listOpenDisputes,
  type ReversalRow,
} from './ledger-store.ts';

/** A dispute, and what was taken for it later, when something came back that it had found missing. */
export function partsOf(disputes: readonly ReversalRow[], id: string): ReversalRow[] {
  return disputes.filter((one) => one.id === id || one.id.startsWith(`${id}:`));
}

/**
 * A dispute is of the whole charge, and takes what is left of the purchase. When `cause` gave
 * something back, whatever dispute stands takes its part of that after all: so it does not matter
 * which of them came first.
 */
export async function completeDisputes(
  handling: Handling,
  invoice: InvoiceRow,
  cause: string,
  occurredAt: Instant,
): Promise<void> {
  const { tx, projectId } = handling.write;
  const standing = (await listOpenDisputes(tx, projectId, invoice.id)).filter(
    ({ id }) => id !== cause && !id.startsWith(`${cause}:`),
  );
  for (const whole of standing.filter(({ id }) => !id.includes(':'))) {
    const taken = await findTaken(
      tx,
      projectId,
      partsOf(standing, whole.id).map(({ id, sourceId }) => ({
        sourceNamespaceId: sourceId,
        sourceEventId: factIds.dispute(id),
      })),
    );
    const purchase = await findPurchase(tx, projectId, {
      sourceNamespaceId: invoice.sourceId,
      sourceEventId: invoice.id,
    });
    const missing = whole.netMinor - taken;
    if (missing <= 0n || !purchase || purchase.refundedMinor >= purchase.amountMinor) continue;
    const id = `${whole.id}:${cause}`;
    const handled = await adjust(handling, invoice, {
      sourceEventId: factIds.dispute(id),
      kind: 'dispute',
      amountMinor: missing,
      occurredAt,
      restores: null,
    });
    if (handled.state !== 'done') continue;
    const { sourceId } = handling.connection;
    insertReversal(tx, projectId, { ...whole, id, sourceId, paidMinor: 0n, netMinor: missing });
  }
}
