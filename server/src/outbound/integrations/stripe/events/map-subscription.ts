import type Stripe from 'stripe';
import { toInstant } from '../../../../platform/kit/instant.ts';
import { readPayer, type StripeSubscription } from './stripe-fact.ts';

type SubscriptionEvent =
  | Stripe.CustomerSubscriptionCreatedEvent
  | Stripe.CustomerSubscriptionUpdatedEvent
  | Stripe.CustomerSubscriptionDeletedEvent;
type Change = StripeSubscription['fact']['change'];
type Subscription = Stripe.Subscription;
type Item = Stripe.SubscriptionItem;

/** The change of a subscription; undefined if the event contains no change that we track. */
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
  /** Distinguishes it from others of its kind. */
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

/** A subscription whose first payment is outstanding is `incomplete` and may never start. */
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
  // Stripe's rule for a new period: a new invoice, and items that start where they ended before.
  const renewed = pairs.filter(
    ([item, old]) => item?.current_period_start === old?.current_period_end,
  );
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

function isLeaving({ cancel_at, cancel_at_period_end }: Subscription): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

/**
 * Pairs each item with its previous state, if the event reports items. One side is missing if the
 * item is new or was removed.
 */
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
