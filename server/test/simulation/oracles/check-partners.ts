import type { Actor } from '../world/actor.ts';
import { externalIdOf } from '../world/names.ts';
import type { Sightings } from '../world/sightings.ts';
import type { Shown } from './wire.ts';

const STATUSES = { suspend: 'suspended', reinstate: 'active' } as const;
const DECISIONS = { approve: 'approved', reject: 'rejected' } as const;

/** Whoever was let in is a partner, nobody else is, and all are as operators have left them. */
export async function checkPartners(actor: Actor): Promise<string[]> {
  const { spec, affiliates, acknowledged, erased } = actor;
  if (!spec.partners) return [];
  const statuses = new Map<string, string>();
  const decisions = new Map<string, string>();
  for (const { operation, answer } of acknowledged) {
    if (answer.status !== 200) continue;
    const { data } = answer.body;
    if (operation.kind === 'admit')
      decisions.set(data.partnerRequestId, DECISIONS[operation.decision]);
    if (operation.kind === 'suspend' || operation.kind === 'reinstate')
      statuses.set(data.id, STATUSES[operation.kind]);
  }
  const findings: string[] = [];
  const compare = (what: string, is: unknown, must: unknown) => {
    if (is !== must) findings.push(`${what} is ${is}, and must be ${must}`);
  };
  const numbers = new Map([...affiliates.letIn].map(([number, one]) => [one.partnerId, number]));
  for (const { id, status, name } of await affiliates.partners()) {
    const number = numbers.get(id);
    if (number === undefined || !numbers.delete(id)) {
      findings.push(`${id} is a partner, and was not let in`);
      continue;
    }
    compare(`the status of ${id}`, status, statuses.get(id) ?? 'active');
    const isErased = erased.has(number);
    compare(`the name of ${id}`, name, isErased ? null : `Somebody ${externalIdOf(number)}`);
  }
  for (const id of numbers.keys()) findings.push(`${id} was let in, and is no partner`);
  for (const { id, status } of await affiliates.applications())
    if (decisions.has(id)) compare(`the application ${id}`, status, decisions.get(id));
  return findings;
}

/** What makes partners worth having been in a world. */
export function seePartners(actor: Actor, shown: Shown, sightings: Sightings): void {
  const { affiliates, acknowledged } = actor;
  const partners = new Set([...affiliates.letIn.values()].map((one) => one.participantId));
  for (const { operation, answer } of acknowledged) {
    if (answer.status !== 200) continue;
    if (operation.kind === 'admit') sightings.see(`an application was ${answer.body.data.status}`);
    if (operation.kind === 'suspend') sightings.see('a partner was suspended');
    if (operation.kind === 'reinstate') sightings.see('a partner was reinstated');
  }
  for (const { referredBy } of shown.details.values())
    if (partners.has(referredBy?.referrerParticipantId)) sightings.see('a partner has referred');
  for (const { beneficiary } of shown.rewards)
    if (partners.has(beneficiary.participantId)) sightings.see('a partner earned a reward');
}
