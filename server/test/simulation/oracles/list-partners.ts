import type { Actor } from '../world/actor.ts';
import { nameOf } from '../world/names.ts';
import type { OrderedFacts } from './ordered-facts.ts';

/** Adds the codes and links that partners got when they were let in. */
export function addPartners(facts: OrderedFacts, { affiliates, programs }: Actor): void {
  const keys = new Map(programs.made.map(({ id, spec }) => [id, spec.key]));
  for (const [number, { programId, code, link }] of affiliates.letIn) {
    const person = nameOf(number);
    const owned = { kind: 'code', person, program: keys.get(programId) ?? '', codeId: code.id };
    facts.add(code.id, { ...owned, kind: 'code', name: code.code });
    facts.add(link.id, { ...owned, kind: 'code', name: link.slug });
  }
}
