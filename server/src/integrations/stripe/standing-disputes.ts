import type { Instant } from '../../kit/instant.ts';
import { findPurchase, findTaken } from '../../tracking/find-purchase.ts';
import { adjust } from './adjust.ts';
import { factIds } from './fact-ids.ts';
import type { Handling } from './handled.ts';
import {
  type InvoiceRow,
  insertReversal,
  listOpenDisputes,
  markRestored,
  type ReversalRow,
} from './ledger-store.ts';

/** Everything of a dispute has its id, and behind a colon what it was taken anew for. */
const baseOf = ({ id }: ReversalRow): string => id.split(':', 1)[0] as string;

/** What is taken for a dispute now: at first, or later, when something made room or needed it. */
export function partsOf(disputes: readonly ReversalRow[], id: string): ReversalRow[] {
  return disputes.filter((one) => baseOf(one) === id);
}

/** What a dispute is of: its first part is the whole, and so is what was taken anew behind a refund. */
function wholeOf(parts: readonly ReversalRow[]): bigint {
  let whole = 0n;
  for (const { netMinor } of parts) if (netMinor > whole) whole = netMinor;
  return whole;
}

const taken = ({ write: { tx, projectId } }: Handling, parts: readonly ReversalRow[]) =>
  findTaken(
    tx,
    projectId,
    parts.map(({ id, sourceId }) => ({
      sourceNamespaceId: sourceId,
      sourceEventId: factIds.dispute(id),
    })),
  );

const purchaseOf = ({ write: { tx, projectId } }: Handling, invoice: InvoiceRow) =>
  findPurchase(tx, projectId, { sourceNamespaceId: invoice.sourceId, sourceEventId: invoice.id });

/** Takes so much for a dispute, or as much as is left, as a fact of its own. */
async function take(
  handling: Handling,
  invoice: InvoiceRow,
  dispute: ReversalRow,
  netMinor: bigint,
  occurredAt: Instant,
): Promise<void> {
  const { tx, projectId } = handling.write;
  const handled = await adjust(handling, invoice, {
    sourceEventId: factIds.dispute(dispute.id),
    kind: 'dispute',
    amountMinor: netMinor,
    occurredAt,
    restores: null,
  });
  if (handled.state !== 'done') return;
  const { sourceId } = handling.connection;
  insertReversal(tx, projectId, {
    ...dispute,
    sourceId,
    paidMinor: 0n,
    netMinor,
    isRestored: false,
  });
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
  const standing = await listOpenDisputes(tx, projectId, invoice.id);
  for (const id of new Set(standing.map(baseOf))) {
    const parts = partsOf(standing, id);
    const [first] = parts;
    const missing = wholeOf(parts) - (await taken(handling, parts));
    const purchase = await purchaseOf(handling, invoice);
    const isLeft = purchase && purchase.refundedMinor < purchase.amountMinor;
    if (!first || id === cause || missing <= 0n || !isLeft) continue;
    await take(handling, invoice, { ...first, id: `${id}:${cause}` }, missing, occurredAt);
  }
}

/**
 * What is refunded is gone for good, and what is disputed may come back: so a refund goes first. Gives
 * back what the disputes that stand have taken, lets `refund` take its part, and has them take what is
 * left then. False, with nothing done, if it would not fit without them either.
 */
export async function goBefore(
  handling: Handling,
  invoice: InvoiceRow,
  refund: { readonly id: string; readonly netMinor: bigint; readonly occurredAt: Instant },
  takeRefund: () => Promise<void>,
): Promise<boolean> {
  const { tx, projectId } = handling.write;
  const standing = await listOpenDisputes(tx, projectId, invoice.id);
  const purchase = await purchaseOf(handling, invoice);
  if (!purchase) return false;
  const left = purchase.amountMinor - purchase.refundedMinor + (await taken(handling, standing));
  if (standing.length === 0 || refund.netMinor > left) return false;
  for (const part of standing) {
    await adjust(handling, invoice, {
      sourceEventId: factIds.restoration(part.id),
      kind: 'restoration',
      amountMinor: part.netMinor,
      occurredAt: refund.occurredAt,
      restores: { sourceNamespaceId: part.sourceId, sourceEventId: factIds.dispute(part.id) },
    });
    markRestored(tx, projectId, part.id);
  }
  await takeRefund();
  for (const id of new Set(standing.map(baseOf))) {
    const parts = partsOf(standing, id);
    const again = { ...(parts[0] as ReversalRow), id: `${id}:behind:${refund.id}` };
    await take(handling, invoice, again, wholeOf(parts), refund.occurredAt);
  }
  return true;
}
