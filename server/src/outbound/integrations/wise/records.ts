import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { type Instant, parseInstant } from '../../../platform/kit/instant.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import type { Details } from '../../payouts/details/details.ts';
import type { FoundTransfer, TransferRecords } from '../../payouts/provider.ts';
import { listOf, textOf } from '../call-json.ts';
import { TRANSFERS_PAGE, type WiseClient } from './client.ts';
import { readTransfer, transactionIdOf } from './read-transfer.ts';
import { fromWiseRecipient } from './recipient.ts';

/** More than a restore can leave unknown; beyond it the list is not trusted. */
const OFFSET_MAX = 100_000;
/** Recipients that are read at once. */
const RECIPIENTS_MAX = 4;
/** Only the service makes transaction ids of this version. */
const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Wise does not keep our keys: the transaction id follows from the key, but not the key from it. So
 * a transfer is recognised by the ids that known payouts would have, and else by its recipient.
 */
export function createRecords(client: WiseClient): TransferRecords {
  async function toFound(body: unknown): Promise<FoundTransfer | null> {
    const mark = textOf(body, 'customerTransactionId') ?? '';
    const transfer = OURS.test(mark) ? readTransfer(body, mark, null) : undefined;
    if (!transfer) return null;
    const { id, state, amountMinor, currency } = transfer;
    const exponent = CURRENCY_EXPONENTS.get(currency ?? '');
    const madeAt = readTime(textOf(body, 'created'));
    if (amountMinor === null || currency === null || exponent === undefined || !madeAt) {
      throw new Error(`Wise shows transfer ${id} in a form that cannot be read.`);
    }
    return {
      reference: id,
      mark,
      payoutId: null,
      // Without funding no money moves. An unknown status may be any.
      state: state === 'unfunded' ? 'failed' : (state?.state ?? 'processing'),
      amountMinor,
      currency,
      currencyExponent: exponent,
      madeAt,
      account: await readRecipient(textOf(body, 'targetAccount')),
    };
  }

  async function readRecipient(accountId: string | null): Promise<Details | null> {
    if (accountId === null) return null;
    const { status, body } = await client.findRecipient(accountId);
    if (status === 404 || status === 403) return null;
    if (status !== 200) throw new Error(`Wise answered ${status} to the request for a recipient.`);
    return fromWiseRecipient(body);
  }

  return {
    markOf: transactionIdOf,
    async list(since, place) {
      const offset = Number(place ?? 0);
      if (offset > OFFSET_MAX) throw new Error('Wise lists more transfers than can be checked.');
      const { status, body } = await client.listTransfers(since, offset);
      if (status !== 200 || !Array.isArray(body)) {
        throw new Error(`Wise answered ${status} to the request for its transfers.`);
      }
      const inTurn = createLimit(RECIPIENTS_MAX);
      const found = await Promise.all(listOf(body).map((one) => inTurn(() => toFound(one))));
      return {
        transfers: found.flatMap((one) => one ?? []),
        next: body.length < TRANSFERS_PAGE ? null : String(offset + body.length),
      };
    },
    async read(reference) {
      const { status, body } = await client.findTransfer(reference);
      if (status === 404) return null;
      if (status !== 200) throw new Error(`Wise answered ${status} to the request for a transfer.`);
      return toFound(body);
    },
  };
}

/** Wise writes times in UTC without a zone. */
function readTime(text: string | null): Instant | undefined {
  return text === null ? undefined : parseInstant(`${text.replace(' ', 'T').replace(/Z$/, '')}Z`);
}
