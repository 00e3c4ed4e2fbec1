import type { Accepted, EnrollmentFacts, Fact, ProgramFacts } from '../model/facts.ts';
import type { Receivers } from '../outside/receivers.ts';
import { type Acknowledged, type Actor, sharedName } from '../world/actor.ts';
import { adjustmentOf } from '../world/adjustments.ts';
import { nameOf } from '../world/names.ts';
import type { MadeProgram } from '../world/programs.ts';
import { idAt, OrderedFacts, timeOfId } from './ordered-facts.ts';
import type { Shown, Wire } from './wire.ts';

/** What the service has accepted, from what it acknowledged, and what it acknowledged and does not have. */
export function listAccepted(actor: Actor, receivers: Receivers, shown: Shown) {
  const findings: string[] = [];
  const facts = new OrderedFacts();
  for (const one of actor.acknowledged) {
    if (one.answer.status !== 200) continue;
    const fact = readFact(actor, shown, one);
    if (typeof fact === 'string') findings.push(fact);
    else if (fact) facts.add(fact.id, fact.fact);
  }
  addDecisions(facts, actor, shown);
  findings.push(...addOutcomes(facts, actor, receivers, shown));
  const accepted: Accepted = {
    programs: actor.programs.made.map(describeProgram),
    enrollments: listEnrollments(actor, shown),
    facts: facts.all,
  };
  return { accepted, findings };
}

/** The fact behind an answer; a sentence if the service does not have it. */
function readFact(
  { spec, timeOf, browsers }: Actor,
  { events }: Shown,
  acknowledged: Acknowledged,
): { readonly id: string; readonly fact: Fact } | string | null {
  const { operation } = acknowledged;
  const { body } = acknowledged.answer;
  const event = events.get(body.eventId);
  switch (operation.kind) {
    case 'join': {
      const { person, program } = operation;
      const fact = { kind: 'code', person: nameOf(person), program: `g${program}` } as const;
      const { id, code: name } = body.data;
      return { id, fact: { ...fact, name, codeId: id } };
    }
    case 'link': {
      const { person, program } = operation;
      const fact = { kind: 'code', person: nameOf(person), program: `g${program}` } as const;
      const { id, slug: name, refCodeId: codeId } = body.data;
      return { id, fact: { ...fact, name, codeId } };
    }
    case 'click': {
      const visit = browsers.visits.get(operation.id);
      if (!visit) return null;
      const { handle, at: occurredAt } = visit;
      const fact = { kind: 'touch', handle, name: sharedName(operation), occurredAt } as const;
      return { id: idAt(occurredAt, `click ${operation.id}`), fact };
    }
    case 'identify': {
      const { sent: handle } = acknowledged;
      if (handle === null) return null;
      const fact = { kind: 'identify', handle, person: nameOf(operation.person) } as const;
      return { id: idAt(body.identifiedAt, `identification of ${handle}`), fact };
    }
    case 'signup': {
      const { person, referrer } = operation;
      if (!event) return `the signup of p${person} was acknowledged, and is not there`;
      const refCode = referrer === null ? null : sharedName({ ...operation, referrer });
      const { occurredAt, receivedAt } = event;
      return {
        id: body.eventId,
        fact: {
          kind: 'signup',
          person: nameOf(person),
          actor: actorOf(operation),
          refCode,
          handle: acknowledged.sent,
          occurredAt,
          receivedAt,
        },
      };
    }
    case 'buy': {
      const { order, person } = operation;
      if (!event) return `order ${order} was acknowledged, and is not there`;
      return {
        id: body.eventId,
        fact: {
          kind: 'purchase',
          key: String(order),
          person: nameOf(person),
          actor: actorOf(operation),
          subscription:
            operation.subscription === undefined ? null : String(operation.subscription),
          amountMinor: BigInt(operation.amountMinor),
          occurredAt: event.occurredAt,
          receivedAt: event.receivedAt,
          gaveUp: event.processingReason === 'no_signup',
        },
      };
    }
    case 'subscribe': {
      const { person, subscription, change } = operation;
      if (change !== 'started') return null;
      const { id, occurredAt } = body.data;
      const started = { kind: 'start', person: nameOf(person), occurredAt } as const;
      return { id, fact: { ...started, subscription: String(subscription) } };
    }
    case 'erase': {
      const { deletedAt } = body.data;
      return {
        id: idAt(deletedAt, `erasure of ${operation.person}`),
        fact: { kind: 'erase', person: nameOf(operation.person) },
      };
    }
    case 'refund':
    case 'restore':
    case 'dispute':
    case 'win':
    case 'lose': {
      const reported = adjustmentOf(spec, operation);
      if (!reported) return null;
      const { purchaseAdjustmentId: id, purchaseId } = body;
      const reportedAt = timeOfId(id);
      const adjustment = { ...reported, occurredAt: timeOf(reported.key) };
      const fact = {
        kind: 'adjustment',
        purchase: String(reported.order),
        adjustment,
        reportedAt,
        isEarly: purchaseId === null,
      } as const;
      return { id, fact };
    }
    default:
      return null;
  }
}

const actorOf = ({ actor }: { readonly actor?: number | undefined }) =>
  actor === undefined ? null : nameOf(actor);

/** Adds what was granted, voided and taken back, and looks for grants that nobody made or that were lost. */
function addOutcomes(
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
      const isMade = actor.judgements.reported.has(one.id) || answered.possible.has(one.id);
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

/** A 200 is no grant of what the service pays itself. */
const isGrantLost = ({ id, delivery, fulfillmentStatus }: Wire, certain: ReadonlySet<string>) =>
  delivery.method !== 'payout' &&
  delivery.reason !== 'risk_review' &&
  certain.has(id) &&
  fulfillmentStatus !== 'cancelled';

/** When purchases were decided: one may have waited in vain, for a signup or for a subscription. */
function addDecisions(facts: OrderedFacts, { acknowledged }: Actor, { feed }: Shown): void {
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

function describeProgram({ spec, statuses, policies, rules }: MadeProgram): ProgramFacts {
  return {
    key: spec.key,
    paysCash: spec.methods.cashMethod === 'payout',
    policies: policies.toSorted((a, b) => (a.effectiveAt < b.effectiveAt ? -1 : 1)),
    statuses: statuses.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    rules: rules.map(({ spec: { key, eventType, role }, versions }) => ({
      key,
      eventType,
      role,
      versions: versions.toSorted((a, b) => (a.effectiveAt < b.effectiveAt ? -1 : 1)),
    })),
  };
}

function listEnrollments({ programs }: Actor, { details }: Shown): EnrollmentFacts[] {
  const keys = new Map(programs.made.map(({ id, spec }) => [id, spec.key]));
  return [...details].flatMap(([person, { enrollments }]) =>
    enrollments.map(({ programId, startsAt, endsAt }: Wire) => ({
      person,
      program: keys.get(programId) ?? '',
      startsAt,
      endsAt,
    })),
  );
}
