import type { DeliveryOutcome } from './decide-delivery.ts';
import type { OpenDelivery } from './prepare-deliveries.ts';
import type { RewardOrder, RewardProvider } from './provider.ts';

const NOBODY_KNOWS: DeliveryOutcome = { state: 'unknown', isAnswered: false };

/** The two kinds of calls. Refusals and thrown errors are reported to `onFailure`. */
export function makeCalls(onFailure: (error: unknown) => void) {
  async function call(
    order: RewardOrder,
    perform: () => Promise<DeliveryOutcome & { readonly message?: string }>,
  ): Promise<DeliveryOutcome> {
    let answer: Awaited<ReturnType<typeof perform>>;
    try {
      answer = await perform();
    } catch (error) {
      onFailure(error);
      return NOBODY_KNOWS;
    }
    if (answer.message !== undefined) {
      onFailure(new Error(`Delivery ${order.key} (${order.step}): ${answer.message}`));
    }
    return answer;
  }

  return {
    send(provider: RewardProvider, open: OpenDelivery): Promise<DeliveryOutcome> {
      const order = toOrder(open);
      return call(order, () =>
        order.step === 'take_back' ? provider.takeBack(order) : provider.deliver(order),
      );
    },
    ask(provider: RewardProvider, open: OpenDelivery): Promise<DeliveryOutcome> {
      const order = toOrder(open);
      return call(order, () => provider.find(order));
    },
  };
}

function toOrder({ reward, delivery }: OpenDelivery): RewardOrder {
  const { intent, attempt } = delivery;
  if (!intent) throw new Error(`Nothing is to be sent for Reward ${reward.id}.`);
  const { currency, rateBps, durationMode, durationMonths } = reward;
  return {
    projectId: reward.projectId,
    rewardId: reward.id,
    attempt,
    key: `${reward.id}_${attempt}`,
    step: intent.step,
    account: intent.account,
    money: currency === null ? null : { amountMinor: intent.amountMinor, currency },
    discount:
      rateBps === null || durationMode === null ? null : { rateBps, durationMode, durationMonths },
    since: intent.intendedAt,
  };
}
