import type { Accepted, EnrollmentFacts, Fact, ProgramFacts } from '../model/facts.ts';
import type { Receivers } from '../outside/receivers.ts';
import type { Acknowledged } from '../world/acting.ts';
import type { Actor } from '../world/actor.ts';
import { adjustmentOf } from '../world/adjustments.ts';
import { nameOf } from '../world/names.ts';
import type { StartSpec } from '../world/operations.ts';
import type { MadeProgram } from '../world/programs.ts';
import { addImports } from './list-imports.ts';
import { addDecisions, addOutcomes } from './list-outcomes.ts';
import { addPartners } from './list-partners.ts';
import { idAt, OrderedFacts, timeOfId } from './ordered-facts.ts';
import type { Shown, Wire } from './wire.ts';

/** What the service has accepted, from what it acknowledged, and what it acknowledged and does not have. */
export function listAccepted(actor: Actor, receivers: Receivers, shown: Shown) {
  const findings: string[] = [];
  const facts = new OrderedFacts();
  for (const one of actor.acknowledged) {
    if (one.answer.status !== 200) continue;
    findings.push(...addImports(facts, one, shown));
    const fact = readFact(actor, shown, one);
    if (typeof fact === 'string') findings.push(fact);
    else if (fact) facts.add(fact.id, fact.fact);
  }
  addDecisions(facts, actor, shown);
  addPartners(facts, actor);
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
  { spec, reports, browsers }: Actor,
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
      const { handle, name, at: occurredAt } = visit;
      const fact = { kind: 'touch', handle, name, occurredAt } as const;
      return { id: idAt(occurredAt, `click ${operation.id}`), fact };
    }
    case 'identify': {
      const { sent: handle } = acknowledged;
      if (handle === null) return null;
      const fact = { kind: 'identify', handle, person: nameOf(operation.person) } as const;
      return { id: idAt(body.identifiedAt, `identification of ${handle}`), fact };
    }
    case 'signup': {
      const { person } = operation;
      if (!event) return `the signup of p${person} was acknowledged, and is not there`;
      const { occurredAt, receivedAt } = event;
      return {
        id: body.eventId,
        fact: {
          kind: 'signup',
          person: nameOf(person),
          actor: actorOf(operation),
          refCode: reports.typedBy(operation),
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
          invoice: operation.invoice === undefined ? null : String(operation.invoice),
          amountMinor: BigInt(operation.amountMinor),
          currency: operation.currency ?? 'USD',
          occurredAt: event.occurredAt,
          receivedAt: event.receivedAt,
          gaveUp: event.processingReason === 'no_signup',
        },
      };
    }
    case 'custom': {
      const { custom, person } = operation;
      if (!event) return `event ${custom} was acknowledged, and is not there`;
      const { occurredAt, receivedAt } = event;
      const done = { kind: 'custom', key: String(custom), person: nameOf(person) } as const;
      return { id: body.eventId, fact: { ...done, occurredAt, receivedAt } };
    }
    case 'subscribe': {
      const { person, subscription, change } = operation;
      if (change !== 'started') return null;
      const { id, occurredAt } = body.data;
      const started = { kind: 'start', person: nameOf(person), occurredAt } as const;
      return { id, fact: { ...started, subscription: String(subscription) } };
    }
    case 'suspend':
    case 'reinstate': {
      const person = nameOf(operation.person);
      const fact = { kind: operation.kind, person } as const;
      return { id: idAt(body.data.updatedAt, `the standing of ${person}`), fact };
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
      const adjustment = { ...reported, occurredAt: reports.timeOf(reported.key) };
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

const startOf = ({ referrals, purchases, revenueMinor }: StartSpec) => ({
  referrals: BigInt(referrals),
  purchases: BigInt(purchases),
  revenue: BigInt(revenueMinor),
});

function describeProgram({ spec, statuses, policies, rules }: MadeProgram): ProgramFacts {
  return {
    key: spec.key,
    isLoyalty: spec.kind === 'loyalty',
    paysCash: spec.methods.cashMethod === 'payout',
    creditsBalance: spec.methods.creditMethod === 'stripe_balance',
    starts: new Map((spec.starts ?? []).map((one) => [nameOf(one.person), startOf(one)])),
    policies: policies.toSorted((a, b) => (a.effectiveAt < b.effectiveAt ? -1 : 1)),
    statuses: statuses.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    rules: rules.map(({ spec: { key, eventType, role }, versions }) => ({
      key,
      eventType,
      role: role === 'subject' ? 'referee' : role,
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
