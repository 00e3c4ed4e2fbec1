// What became of events and rewards, as the service shows it.

import type { Receivers } from '../outside/receivers.ts';
import type { Actor } from '../world/actor.ts';
import { idAt, type OrderedFacts, timeOfId } from './ordered-facts.ts';
import type { Shown, Wire } from './wire.ts';

/** Adds what was granted, voided and taken back, and looks for grants that nobody made or that were lost. */
export function addOutcomes(
  facts: OrderedFacts,
  actor: Actor,
  receivers: Receivers,
  shown: Shown,
): string[] {
  const { rewards, nameOf: nameReward } = shown;
  addPayouts(facts, shown);
  addReviews(facts, shown);
  const findings: string[] = [];
  const granting = actor.spec.endpoints.filter(
    ({ fulfillmentMode }) => fulfillmentMode === 'on_delivery',
  );
  const answered = receivers.grantedBy(new Set(granting.map(({ url }) => url)));
  for (const one of rewards) {
    const reward = nameReward(one);
    // What the service pays itself is in its payouts.
    if (one.fulfillment && one.delivery.method !== 'payout') {
      facts.add(one.fulfillment.id, { kind: 'grant', reward });
      const isMade =
        isByStripe(one) || actor.judgements.reported.has(one.id) || answered.possible.has(one.id);
      if (!isMade) findings.push(`${reward} was granted by nobody`);
    } else if (isGrantLost(one, answered.certain)) {
      findings.push(`${reward} was granted by the answer to a webhook, which is lost`);
    }
    if (one.void?.reasonCode === 'fraud' && actor.judgements.voided.has(one.id))
      facts.add(one.void.id, { kind: 'void', reward });
    if (one.revocation) facts.add(one.revocation.id, { kind: 'revoke', reward });
  }
  return findings;
}

const isByStripe = ({ delivery }: Wire): boolean =>
  ['stripe_balance', 'stripe_coupon'].includes(delivery.method);

/** A 200 is no grant of what the service pays or credits itself. */
const isGrantLost = ({ id, delivery, fulfillmentStatus }: Wire, certain: ReadonlySet<string>) =>
  delivery.method !== 'payout' &&
  !isByStripe({ delivery }) &&
  delivery.reason !== 'risk_review' &&
  certain.has(id) &&
  fulfillmentStatus !== 'cancelled';

/** When purchases were decided: one may have waited in vain, for a signup or for a subscription. */
export function addDecisions(facts: OrderedFacts, { acknowledged }: Actor, { feed }: Shown): void {
  const orders = new Map<string, number>();
  for (const { operation, answer } of acknowledged)
    if (operation.kind === 'buy' && answer.status === 200)
      orders.set(answer.body.eventId, operation.order);
  for (const { id, type, data } of feed) {
    const order = type === 'event.recorded' ? orders.get(data.event.id) : undefined;
    if (order === undefined) continue;
    facts.add(idAt(timeOfId(id), id), { kind: 'waited', purchase: String(order) });
  }
}

/** What is under review, and what people decided about it. */
function addReviews(facts: OrderedFacts, { feed, people }: Shown): void {
  for (const { id, type, data } of feed) {
    if (!type.startsWith('risk.')) continue;
    const { referee, status } = data.review;
    const person = people.get(referee.participantId) ?? '';
    // What is reviewed is there by then; the decision comes before the grants that waited for it.
    const after = idAt(timeOfId(id), id);
    const at = status === 'open' ? after : after.replace('~', '!');
    facts.add(at, { kind: 'review', referee: person, status });
  }
}

/** What was paid and what came back, as the feed says. */
function addPayouts(facts: OrderedFacts, { rewards, feed, nameOf: nameReward }: Shown): void {
  const names = new Map(rewards.map((one) => [one.id, nameReward(one)]));
  for (const { id, type, data } of feed) {
    if (type !== 'payout.paid' && type !== 'payout.returned') continue;
    const { id: payout, rewards: lines } = data.payout;
    const paid = lines.map(({ rewardId, amountMinor }: Wire) => ({
      reward: names.get(rewardId) ?? rewardId,
      amountMinor: BigInt(amountMinor),
    }));
    const kind = type === 'payout.paid' ? 'paid' : 'returned';
    facts.add(idAt(timeOfId(id), id), { kind, payout, lines: paid });
  }
}
