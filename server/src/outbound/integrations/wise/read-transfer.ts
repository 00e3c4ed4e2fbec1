import { createHash } from 'node:crypto';
import type { TransferState } from '../../payouts/provider.ts';
import { minorOf, textOf } from '../call-json.ts';
import { failureOf, STATES } from './states.ts';

export interface WiseTransfer {
  readonly id: string;
  /** Null for an unknown status. */
  readonly state: TransferState | 'unfunded' | null;
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
}

/**
 * Undefined if the transfer does not have this transaction id. `failureCode` comes from a webhook.
 */
export function readTransfer(
  body: unknown,
  transactionId: string,
  failureCode: string | null,
): WiseTransfer | undefined {
  const id = textOf(body, 'id');
  if (id === null || textOf(body, 'customerTransactionId') !== transactionId) return undefined;
  const currency = textOf(body, 'targetCurrency');
  return {
    id,
    state: stateOf(id, textOf(body, 'status') ?? '', failureCode),
    amountMinor: minorOf(textOf(body, 'targetValue'), currency),
    currency,
  };
}

function stateOf(id: string, status: string, failureCode: string | null): WiseTransfer['state'] {
  const state = STATES[status];
  if (!state) return null;
  if (state === 'unfunded') return state;
  if (state === 'processing' || state === 'paid') return { state, reference: id };
  return {
    state,
    reference: id,
    failureReason: failureOf(status, failureCode),
    failureMessage: `Wise: ${failureCode ?? status}`,
  };
}

/** Wise's id for our transfer: a UUID derived from our key (RFC 9562, version 8). */
export function transactionIdOf(key: string): string {
  const bytes = createHash('sha256').update(`goodword transfer ${key}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
