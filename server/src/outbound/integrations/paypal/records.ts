import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { parseInstant } from '../../../platform/kit/instant.ts';
import type { FoundTransfer, TransferRecords } from '../../payouts/provider.ts';
import { fieldOf, listOf, textOf } from '../call-json.ts';
import type { PaypalClient } from './client.ts';
import { readBatch } from './read-batch.ts';

const KEY = /^(po_[0-9a-z]+)_\d+$/;

/**
 * PayPal lists no payouts: its list of transactions is hours late, needs another permission and does
 * not name our keys. A batch can be read by the id that PayPal's website shows.
 */
export function createRecords(client: PaypalClient): TransferRecords {
  return {
    markOf: (key) => key,
    list: null,
    async read(reference) {
      const path = `/v1/payments/payouts/${encodeURIComponent(reference)}?page=1&page_size=1`;
      const { status, body } = await client.call('GET', path);
      if (status === 404) return null;
      if (status !== 200) throw new Error(`PayPal answered ${status} to the request for a batch.`);
      return toFound(body);
    },
  };
}

function toFound(body: unknown): FoundTransfer | null {
  const header = fieldOf(body, 'batch_header');
  const mark = textOf(header, 'sender_batch_header', 'sender_batch_id') ?? '';
  const payoutId = KEY.exec(mark)?.[1];
  const reference = textOf(header, 'payout_batch_id');
  const batch = payoutId === undefined ? undefined : readBatch(body, mark);
  if (!batch || payoutId === undefined || reference === null) return null;
  const { state, amountMinor, currency } = batch;
  const exponent = CURRENCY_EXPONENTS.get(currency ?? '');
  const madeAt = parseInstant(textOf(header, 'time_created') ?? '');
  if (amountMinor === null || currency === null || exponent === undefined || !madeAt) {
    throw new Error(`PayPal shows batch ${reference} in a form that cannot be read.`);
  }
  const [item] = listOf(body, 'items');
  const email = textOf(item, 'payout_item', 'receiver');
  return {
    reference,
    mark,
    payoutId,
    // An unknown status may be any.
    state: state?.state ?? 'processing',
    amountMinor,
    currency,
    currencyExponent: exponent,
    madeAt,
    account: email === null ? null : { type: 'paypal', email },
  };
}
