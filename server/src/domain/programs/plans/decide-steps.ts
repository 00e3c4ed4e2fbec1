import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import {
  type DefinedProgram,
  type DefinedRule,
  type ProgramInForce,
  type RuleInForce,
  toDefinition,
  writeAttribution,
  writeDelivery,
  writeRisk,
} from '../definition/defined-program.ts';
import { type DefinedTerms, writeTerms } from '../definition/terms-file.ts';
import { DEFAULT_DELIVERY, type DeliveryChoice } from '../delivery-methods.ts';
import { DEFAULT_POLICY, type PolicyChoice } from '../policies/attribution-policy.ts';
import { DEFAULT_RISK_POLICY, type RiskChoice } from '../policies/risk-policy.ts';

/** What has to be written, part by part. */
export interface PlanSteps {
  readonly createsProgram: boolean;
  /** Whether name, dates or config change. */
  readonly changesProgram: boolean;
  readonly delivery: DeliveryChoice | null;
  readonly attribution: PolicyChoice | null;
  readonly risk: RiskChoice | null;
  readonly newRules: readonly (DefinedRule & { readonly terms: DefinedTerms })[];
  readonly renamed: readonly { readonly ruleId: string; readonly name: string }[];
  readonly published: readonly { readonly rule: RuleInForce; readonly terms: DefinedTerms }[];
}

export function differs(a: unknown, b: unknown): boolean {
  return canonicalJson(a) !== canonicalJson(b);
}

export function decideSteps(inForce: ProgramInForce | null, program: DefinedProgram): PlanSteps {
  const { delivery, attribution, risk } = inForce ?? {
    delivery: DEFAULT_DELIVERY,
    attribution: DEFAULT_POLICY,
    risk: DEFAULT_RISK_POLICY,
  };
  const known = new Map(inForce?.rules.map((rule) => [rule.key, rule]));
  const pairs = program.rules.map((rule) => ({ rule, before: known.get(rule.key) }));
  return {
    createsProgram: inForce === null,
    changesProgram: inForce !== null && differs(factsOf(inForce), factsOf(program)),
    delivery: differs(writeDelivery(delivery), writeDelivery(program.delivery))
      ? program.delivery
      : null,
    attribution:
      program.attribution &&
      (!attribution ||
        differs(writeAttribution(attribution), writeAttribution(program.attribution)))
        ? program.attribution
        : null,
    risk:
      program.risk && (!risk || differs(writeRisk(risk), writeRisk(program.risk)))
        ? program.risk
        : null,
    newRules: pairs.flatMap(({ rule, before }) =>
      before || !rule.terms ? [] : [{ ...rule, terms: rule.terms }],
    ),
    renamed: pairs.flatMap(({ rule: { name }, before }) =>
      before && before.name !== name ? [{ ruleId: before.id, name }] : [],
    ),
    published: pairs.flatMap(({ rule: { terms }, before }) => {
      if (!before || !terms) return [];
      const isSame = before.terms && !differs(writeTerms(before.terms), writeTerms(terms));
      return isSame ? [] : [{ rule: before, terms }];
    }),
  };
}

export function factsOf(program: DefinedProgram) {
  const { name, startDate, endDate, config } = toDefinition(program);
  return { name, startDate, endDate, config: config ?? {} };
}
