import type { Acknowledged } from '../world/acting.ts';
import { nameOf } from '../world/names.ts';
import { type OrderedFacts, timeOfId } from './ordered-facts.ts';
import type { Shown, Wire } from './wire.ts';

/** Adds the referrals that an import has made; returns what it acknowledged and is not there. */
export function addImports(
  facts: OrderedFacts,
  { operation, answer }: Acknowledged,
  { details, events }: Shown,
): string[] {
  if (operation.kind !== 'import') return [];
  return operation.rows.flatMap(({ person, referrer }, at) => {
    const result: Wire = answer.body.data.results[at];
    if (result.status === 'invalid') return [];
    const { referredBy } = details.get(nameOf(person)) ?? {};
    if (result.referralId === null || referredBy?.id !== result.referralId)
      return [`the import of p${person} was acknowledged, and its referral is not there`];
    // Who had signed up before with the same referrer keeps that referral.
    if (events.get(referredBy.bindingEventId)?.type !== 'custom_import') return [];
    facts.add(referredBy.id, {
      kind: 'import',
      referee: nameOf(person),
      referrer: nameOf(referrer),
      program: `g${operation.program}`,
      at: timeOfId(referredBy.id),
    });
    return [];
  });
}
