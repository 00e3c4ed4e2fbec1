import type { TransferState } from '../../payouts/provider.ts';
import { fieldOf, listOf, minorOf, textOf } from '../call-json.ts';
import { BATCH_STATES, failureOf, ITEM_STATES } from './states.ts';

export interface PaypalTransfer {
  /** Null for an unknown status. */
  readonly state: TransferState | null;
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
}

/** Reads the single item of one of our batches; undefined if the batch does not have this key. */
export function readBatch(body: unknown, key: string): PaypalTransfer | undefined {
  const header = fieldOf(body, 'batch_header');
  const reference = textOf(header, 'payout_batch_id');
  if (textOf(header, 'sender_batch_header', 'sender_batch_id') !== key || reference === null) {
    return undefined;
  }
  const [item] = listOf(body, 'items');
  const amount = fieldOf(item, 'payout_item', 'amount') ?? fieldOf(header, 'amount');
  const currency = textOf(amount, 'currency');
  return {
    state: stateOf(header, item, reference),
    amountMinor: minorOf(textOf(amount, 'value'), currency),
    currency,
  };
}

/**
 * PayPal no longer reports the item of a batch that it gave up, so the batch status is checked
 * first.
 */
function stateOf(header: unknown, item: unknown, reference: string): TransferState | null {
  const ofBatch = textOf(header, 'batch_status');
  const isGivenUp = BATCH_STATES[ofBatch ?? ''] === 'failed';
  const isByItem = item !== undefined && !isGivenUp;
  const status = isByItem ? textOf(item, 'transaction_status') : ofBatch;
  const state = (isByItem ? ITEM_STATES : BATCH_STATES)[status ?? ''];
  if (!state) return null;
  if (state === 'processing' || state === 'paid') return { state, reference };
  const name = textOf(item, 'errors', 'name') ?? textOf(header, 'errors', 'name');
  return {
    state,
    reference,
    failureReason: failureOf(state, status, name),
    // PayPal's own messages may name the receiver.
    failureMessage: `PayPal: ${name ?? status}`,
  };
}
