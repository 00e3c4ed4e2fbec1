import type Stripe from 'stripe';
import { addMs, DAY_MS, toMs } from '../../kit/instant.ts';
import type {
  DeliverAnswer,
  FindAnswer,
  Reported,
  RewardOrder,
  RewardProvider,
} from '../../rewards/provider.ts';
import { fromStripeAmount, roundForStripe, toStripeAmount } from './currencies.ts';
import { isMissing, judgeError } from './judge-error.ts';
import type { StripeAccounts } from './stripe-accounts.ts';

const PAGE = 100;
/** More than clocks differ. */
const SLACK_MS = DAY_MS;

/** Credits on the balance of a Stripe customer, which Stripe takes off their next invoices. */
export function createBalanceProvider(accounts: StripeAccounts): RewardProvider {
  async function add(order: RewardOrder): Promise<DeliverAnswer> {
    const { projectId, rewardId, attempt, account, money, key } = order;
    if (!money) throw new Error(`Reward ${rewardId} has no amount.`);
    // At Stripe, what is below zero is in the customer's favour.
    const amount = toStripeAmount(-money.amountMinor, money.currency);
    if (amount === undefined) return { state: 'refused' };
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
      const gte = Math.floor(toMs(addMs(since, -SLACK_MS)) / 1000);
      const made = client.customers.listBalanceTransactions(account, {
        created: { gte },
        limit: PAGE,
      });
      for await (const { id, metadata } of untilMissing(made)) {
        const isIt = metadata?.rewardId === rewardId && metadata.attempt === String(attempt);
        if (isIt) return { state: 'delivered', reference: id };
      }
      return { state: 'none' };
    },

    async report(projectId, account, rewardIds): Promise<Reported> {
      const client = await accounts.open(projectId);
      const sums = new Map(rewardIds.map((rewardId) => [rewardId, 0n]));
      const made = client.customers.listBalanceTransactions(account, { limit: PAGE });
      for await (const { id, amount, currency, metadata } of untilMissing(made)) {
        const rewardId = metadata?.rewardId ?? '';
        const sum = sums.get(rewardId);
        if (sum === undefined) continue;
        const amountMinor = fromStripeAmount(-amount, currency);
        if (amountMinor === undefined) throw new Error(`${id} has an amount that nobody can read.`);
        sums.set(rewardId, sum + amountMinor);
      }
      return sums;
    },
  };
}

/** Of a customer that Stripe does not have, nothing. */
async function* untilMissing(
  made: AsyncIterable<Stripe.CustomerBalanceTransaction>,
): AsyncGenerator<Stripe.CustomerBalanceTransaction> {
  try {
    yield* made;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
