import type { Terms } from '../model/facts.ts';
import { STRIPE_FAULTS } from '../outside/stripe-books.ts';
import { chance, pick, type Random } from './draw.ts';
import { partiesOf } from './names.ts';
import type { Operation, ProgramSpec, WorldSpec } from './operations.ts';

/** Numbers of operations that are there because the service credits balances. */
const FIRST_ID = 80_000;

/** The same world, in which credit is delivered to the balance of customers at Stripe, as soon as it is known who they are. */
export function addStripe(spec: WorldSpec, random: Random): WorldSpec {
  const isFaulty = chance(random, 75);
  const operations: Operation[] = [];
  let added = 0;
  const add = (operation: object) => {
    added += 1;
    operations.push({ id: FIRST_ID + added, gapMs: 0, ...operation } as Operation);
  };
  for (const [at, one] of spec.operations.entries()) {
    operations.push(one.kind === 'terms' ? { ...one, terms: toCredit(one.terms, random) } : one);
    // Most are known before much happens.
    const isEarly = at < 2 * spec.people;
    if (chance(random, isEarly ? 45 : 6)) add({ kind: 'bill', person: random(partiesOf(spec)) });
    if (isFaulty && chance(random, 12))
      add({ kind: 'provider', fault: random(STRIPE_FAULTS.length), at: 'stripe' });
    if (chance(random, 12)) add({ kind: 'wait', ms: pick(random, [1_500, 6_000, 70_000]) });
  }
  const programs = spec.programs.map((one) => withCredit(one, random));
  return { ...spec, stripe: true, programs, operations };
}

function withCredit(program: ProgramSpec, random: Random): ProgramSpec {
  return {
    ...program,
    methods: { ...program.methods, creditMethod: 'stripe_balance' },
    rules: program.rules.map((rule) => ({ ...rule, terms: toCredit(rule.terms, random) })),
  };
}

/**
 * Most of what has an amount is credit. The model does not know when a credit is on its way, so none is for a milestone, which
 * can be lost meanwhile.
 */
function toCredit(terms: Terms, random: Random): Terms {
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  if (!isMoney) return terms;
  const { milestone, ...rest } = terms;
  if (milestone) return { ...rest, calculation: 'fixed', benefitKind: 'credit' };
  return chance(random, 70) ? { ...terms, benefitKind: 'credit' } : terms;
}
