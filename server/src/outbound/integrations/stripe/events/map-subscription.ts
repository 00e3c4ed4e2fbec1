import type Stripe from 'stripe';
import { toInstant } from '../../../../platform/kit/instant.ts';
import { readPayer } from './read-payer.ts';
import type { StripeSubscription } from './stripe-fact.ts';

type SubscriptionEvent =
  | Stripe.CustomerSubscriptionCreatedEvent
  | Stripe.CustomerSubscriptionUpdatedEvent
  | Stripe.CustomerSubscriptionDeletedEvent;
type Change = StripeSubscription['fact']['change'];
type Subscription = Stripe.Subscription;
type Item = Stripe.SubscriptionItem;

/** What happened to a subscription; undefined if nothing did that is a fact to us. */
export function mapSubscription(event: SubscriptionEvent): StripeSubscription | undefined {
  const subscription = event.data.object;
  const happened = changeOf(event);
  if (!happened) return undefined;
  const [item] = subscription.items.data;
  return {
    kind: 'subscription',
    changeId: [subscription.id, happened.change, ...(happened.which ?? [])].join(':'),
    payer: readPayer(subscription.customer, subscription.metadata),
    fact: {
      subscriptionId: subscription.id,
      change: happened.change,
      planKey: item ? (item.price.lookup_key ?? item.price.id) : null,
      periodStart: item ? toInstant(item.current_period_start * 1_000) : null,
      periodEnd: item ? toInstant(item.current_period_end * 1_000) : null,
      occurredAt: toInstant(event.created * 1_000),
    },
  };
}

interface Happened {
  readonly change: Change;
  /** Tells it from others of its kind. */
  readonly which?: readonly (string | number)[];
}

function changeOf(event: SubscriptionEvent): Happened | undefined {
  const subscription = event.data.object;
  switch (event.type) {
    case 'customer.subscription.created':
      return isRunning(subscription) ? { change: 'started' } : undefined;
    case 'customer.subscription.deleted':
      return { change: 'ended' };
    case 'customer.subscription.updated':
      return updateOf(subscription, event.data.previous_attributes ?? {}, event.id);
  }
}

/** One whose first payment has not come yet is `incomplete`, and may never start. */
function isRunning({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing';
}

function updateOf(
  now: Subscription,
  before: Partial<Subscription>,
  eventId: string,
): Happened | undefined {
  if (before.status === 'incomplete') return isRunning(now) ? { change: 'started' } : undefined;
  const pairs = itemPairs(now, before);
  if (pairs.some(([item, old]) => item?.price.id !== old?.price.id)) {
    return { change: 'changed', which: [eventId] };
  }
  // The rule that Stripe gives for a new period: a new invoice, and items that went on from their end.
  const renewed = pairs.filter(([item, old]) => item?.current_period_start === endOf(old));
  const start = renewed[0]?.[0]?.current_period_start;
  if (before.latest_invoice !== undefined && start !== undefined) {
    return { change: 'renewed', which: [start] };
  }
  if (isLeaving(now) && !isLeaving({ ...now, ...before })) {
    return { change: 'cancelled', which: [now.canceled_at ?? eventId] };
  }
  if (!isLeaving(now) && isLeaving({ ...now, ...before })) {
    return { change: 'changed', which: [eventId] };
  }
  return undefined;
}

function endOf(item: Item | undefined): number | undefined {
  return item?.current_period_end;
}

function isLeaving({ cancel_at, cancel_at_period_end }: Subscription): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

/** Each item beside what it was, where the event tells of items: one of them is missing if it is new or gone. */
function itemPairs(
  now: Subscription,
  before: Partial<Subscription>,
): [Item | undefined, Item | undefined][] {
  const old = before.items?.data;
  if (!old) return [];
  const ids = new Set([...now.items.data, ...old].map(({ id }) => id));
  const byId = (items: readonly Item[], id: string) => items.find((item) => item.id === id);
  return [...ids].map((id) => [byId(now.items.data, id), byId(old, id)]);
}
