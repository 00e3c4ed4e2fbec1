import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { parseMajor } from '../../../platform/kit/money.ts';
import type { TransferState } from '../../payouts/provider.ts';
import { textOf } from '../read-json.ts';
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
  const exponent = CURRENCY_EXPONENTS.get(currency ?? '');
  const value = textOf(body, 'targetValue');
  return {
    id,
    state: stateOf(id, textOf(body, 'status') ?? '', failureCode),
    amountMinor:
      value === null || exponent === undefined ? null : (parseMajor(value, exponent) ?? null),
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
