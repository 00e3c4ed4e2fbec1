import type Stripe from 'stripe';
import { exponentOf } from '../../../platform/kit/currencies.ts';
import { toInstant, toMs } from '../../../platform/kit/instant.ts';
import type { FoundTransfer, TransferRecords } from '../../payouts/provider.ts';
import { fromStripeAmount } from '../stripe/events/currencies.ts';
import { isMissing } from '../stripe/rewards/judge-error.ts';
import { stateOf } from './states.ts';

const PAGE = 100;

/** Transfers of the platform's account that carry the metadata of an order. */
export function createRecords(client: Stripe): TransferRecords {
  return {
    markOf: (key) => key,
    async list(since, place) {
      const { data, has_more } = await client.transfers.list({
        created: { gte: Math.floor(toMs(since) / 1_000) },
        limit: PAGE,
        ...(place === null ? {} : { starting_after: place }),
      });
      const transfers = data.flatMap((transfer) => toFound(transfer) ?? []);
      return { transfers, next: has_more ? (data.at(-1)?.id ?? null) : null };
    },
    async read(reference) {
      try {
        return toFound(await client.transfers.retrieve(reference));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  };
}

function toFound(transfer: Stripe.Transfer): FoundTransfer | null {
  const { id, amount, amount_reversed, created, destination, metadata } = transfer;
  const { payoutId, key } = metadata;
  const accountId = typeof destination === 'string' ? destination : destination?.id;
  if (payoutId === undefined || key === undefined) return null;
  const currency = transfer.currency.toUpperCase();
  const { state } = stateOf(transfer);
  // What remains of a partly reversed transfer.
  const left = state === 'paid' ? amount - amount_reversed : amount;
  const amountMinor = fromStripeAmount(left, currency);
  if (amountMinor === undefined) throw new Error(`${id} has an amount that cannot be read.`);
  return {
    reference: id,
    mark: key,
    payoutId,
    state,
    amountMinor,
    currency,
    currencyExponent: exponentOf(currency),
    madeAt: toInstant(created * 1_000),
    account: accountId === undefined ? null : { type: 'stripe_connect', accountId },
  };
}
