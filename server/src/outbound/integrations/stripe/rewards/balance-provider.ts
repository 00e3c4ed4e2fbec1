import type Stripe from 'stripe';
import type {
  DeliverAnswer,
  FindAnswer,
  GivenCredit,
  Reported,
  RewardOrder,
  RewardProvider,
} from '../../../../domain/rewards/delivery/provider.ts';
import { addMs, DAY_MS, type Instant, toInstant, toMs } from '../../../../platform/kit/instant.ts';
import type { StripeAccounts } from '../connections/client.ts';
import { fromStripeAmount, roundForStripe, toStripeAmount } from '../events/currencies.ts';
import { isMissing, judgeError, judgeQuestion } from './judge-error.ts';

const PAGE = 100;
/** More than clocks differ. */
const SLACK_MS = DAY_MS;

/** Credits the balance of a Stripe customer; Stripe deducts it from their next invoices. */
export function createBalanceProvider(accounts: StripeAccounts): RewardProvider {
  async function add(order: RewardOrder): Promise<DeliverAnswer> {
    const { projectId, rewardId, attempt, account, money, key } = order;
    if (!money) throw new Error(`Reward ${rewardId} has no amount.`);
    // At Stripe, a negative amount is in the customer's favour.
    const amount = toStripeAmount(-money.amountMinor, money.currency);
    if (amount === undefined) {
      return { state: 'refused', message: 'Stripe cannot represent this amount.' };
    }
    const client = await accounts.open(projectId);
    try {
      const made = await client.customers.createBalanceTransaction(
        account,
        {
          amount,
          currency: money.currency.toLowerCase(),
          description: 'Referral reward',
          metadata: { projectId, rewardId, attempt: String(attempt) },
        },
        { idempotencyKey: key },
      );
      return { state: 'delivered', reference: made.id };
    } catch (error) {
      // A deleted customer has no balance to take from.
      if (isMissing(error) && money.amountMinor < 0n) {
        return { state: 'delivered', reference: account };
      }
      return judgeError(error);
    }
  }

  return {
    method: 'stripe_balance',
    isConnected: (projectId) => accounts.isConnected(projectId),
    carriable: (amountMinor, currency) => roundForStripe(amountMinor, currency) ?? amountMinor,
    deliver: add,
    takeBack: add,

    async find({ projectId, rewardId, attempt, account, since }): Promise<FindAnswer> {
      const client = await accounts.open(projectId);
      try {
        for await (const { id, metadata } of madeSince(client, account, since)) {
          const isIt = metadata?.rewardId === rewardId && metadata.attempt === String(attempt);
          if (isIt) return { state: 'delivered', reference: id };
        }
      } catch (error) {
        return judgeQuestion(error);
      }
      return { state: 'none' };
    },

    async report(projectId, account, rewardIds, since): Promise<Reported> {
      const client = await accounts.open(projectId);
      const sums = new Map(rewardIds.map((rewardId) => [rewardId, 0n]));
      const made = madeSince(client, account, since);
      for await (const { id, amount, currency, metadata } of made) {
        const rewardId = metadata?.rewardId ?? '';
        const sum = sums.get(rewardId);
        if (sum === undefined) continue;
        const amountMinor = fromStripeAmount(-amount, currency);
        if (amountMinor === undefined) throw new Error(`${id} has an amount that cannot be read.`);
        sums.set(rewardId, sum + amountMinor);
      }
      return sums;
    },

    async listGiven(projectId, account, since): Promise<GivenCredit[]> {
      const client = await accounts.open(projectId);
      const given: GivenCredit[] = [];
      for await (const made of madeSince(client, account, since)) {
        const { rewardId, attempt } = made.metadata ?? {};
        const isOurs = made.metadata?.projectId === projectId && rewardId !== undefined;
        if (!isOurs || !/^\d{1,9}$/.test(attempt ?? '')) continue;
        const currency = made.currency.toUpperCase();
        const amountMinor = fromStripeAmount(-made.amount, currency);
        if (amountMinor === undefined) {
          throw new Error(`${made.id} has an amount that cannot be read.`);
        }
        const madeAt = toInstant(made.created * 1_000);
        const order = { rewardId, attempt: Number(attempt) };
        given.push({ reference: made.id, ...order, currency, amountMinor, madeAt });
      }
      return given;
    },
  };
}

/** Yields nothing for a customer that Stripe does not have. */
async function* madeSince(
  client: Stripe,
  customer: string,
  since: Instant,
): AsyncGenerator<Stripe.CustomerBalanceTransaction> {
  const gte = Math.floor(toMs(addMs(since, -SLACK_MS)) / 1000);
  const bounds = { created: { gte }, limit: PAGE };
  try {
    yield* client.customers.listBalanceTransactions(customer, bounds);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
