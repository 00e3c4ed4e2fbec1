import {
  type DefinedProgram,
  listScheduled,
  type ProgramInForce,
  type RuleInForce,
  toDefinition,
  writeAttribution,
  writeDelivery,
  writeRisk,
  writeRule,
} from '../definition/defined-program.ts';
import type { ProgramDefinition } from '../definition/definition-schema.ts';
import { type DefinedTerms, writeTerms } from '../definition/terms-file.ts';
import { DEFAULT_DELIVERY, type DeliveryChoice } from '../delivery-methods.ts';
import { DEFAULT_POLICY } from '../policies/attribution-policy.ts';
import { DEFAULT_RISK_POLICY } from '../policies/risk-policy.ts';
import { differs, factsOf, type PlanSteps } from './decide-steps.ts';
import type { PlanChange } from './plan-schema.ts';
import {
  describeFields,
  describeRule,
  describeTermsChange,
  flatten,
  showValue,
} from './plan-words.ts';
export function describeProgram(
  inForce: ProgramInForce | null,
  program: DefinedProgram,
): PlanChange[] {
  const delivery = (settings: DeliveryChoice) => ({ deliverySettings: writeDelivery(settings) });
  if (!inForce) {
    const { rules: _, ...to } = toDefinition(program);
    const sentence = `Creates the ${program.kind} program ${showValue(program.name)} as a draft, with the key ${program.key}.`;
    const changes = compare(delivery(DEFAULT_DELIVERY), delivery(program.delivery));
    return [{ action: 'create', path: '', from: null, to, sentence }, ...changes];
  }
  return [
    ...compare(factsOf(inForce), factsOf(program)),
    ...compare(delivery(inForce.delivery), delivery(program.delivery)),
  ];
}

function compare(before: object, after: object): PlanChange[] {
  const old = flatten(before);
  return [...flatten(after)]
    .filter(([path, value]) => differs(old.get(path) ?? null, value ?? null))
    .map(([path, to]) => {
      const from = old.get(path) ?? null;
      const when = path.startsWith('deliverySettings.') ? ', for rewards earned from now on' : '';
      const sentence = `Changes ${path} from ${showValue(from)} to ${showValue(to)}${when}.`;
      return { action: 'change', path, from, to, sentence };
    });
}

export function describePolicies(
  inForce: ProgramInForce | null,
  { attribution, risk }: PlanSteps,
): PlanChange[] {
  const { lastVersions } = inForce ?? { lastVersions: { attribution: 0, risk: 0 } };
  const publish = (path: string, what: string, version: number, states: [object, object]) => ({
    action: 'publish' as const,
    path,
    from: inForce ? states[0] : null,
    to: states[1],
    sentence: `Publishes version ${version} of the ${what}: ${describeFields(...states)}. It applies from now on.`,
  });
  const changes: PlanChange[] = [];
  if (attribution) {
    const before = (inForce ? inForce.attribution : null) ?? DEFAULT_POLICY;
    const states: [object, object] = [writeAttribution(before), writeAttribution(attribution)];
    const version = lastVersions.attribution + 1;
    changes.push(publish('attributionPolicy', 'attribution policy', version, states));
  }
  if (risk) {
    const before = inForce?.risk ?? DEFAULT_RISK_POLICY;
    const states: [object, object] = [writeRisk(before), writeRisk(risk)];
    changes.push(publish('riskPolicy', 'risk policy', lastVersions.risk + 1, states));
  }
  return changes;
}

export function describeRules(
  inForce: ProgramInForce | null,
  { newRules, renamed, published }: PlanSteps,
): PlanChange[] {
  const nameOf = new Map(renamed.map(({ ruleId, name }) => [ruleId, name]));
  const termsOf = new Map(published.map(({ rule, terms }) => [rule.id, terms]));
  const changes = (inForce?.rules ?? []).flatMap((rule): PlanChange[] => {
    const { key, id } = rule;
    const name = nameOf.get(id);
    const terms = termsOf.get(id);
    return [
      ...(name === undefined ? [] : [rename(key, rule.name, name)]),
      ...(terms ? [publishTerms(rule, terms)] : []),
    ];
  });
  const created = newRules.map(
    (rule): PlanChange => ({
      action: 'create',
      path: `rules.${rule.key}`,
      from: null,
      to: writeRule(rule, rule.terms),
      sentence: `Creates the rule ${rule.key}: ${describeRule(rule, rule.terms)}.`,
    }),
  );
  return [...changes, ...created];
}

const rename = (key: string, from: string, to: string): PlanChange => ({
  action: 'change',
  path: `rules.${key}.name`,
  from,
  to,
  sentence: `Renames the rule ${key} from ${showValue(from)} to ${showValue(to)}.`,
});

function publishTerms(rule: RuleInForce, terms: DefinedTerms): PlanChange {
  const { key, lastVersion } = rule;
  const from = rule.terms && writeTerms(rule.terms);
  const to = writeTerms(terms);
  const isEnd = rule.terms?.enabled && !terms.enabled;
  if (isEnd && !differs(from, writeTerms({ ...terms, enabled: true }))) {
    const sentence = `Ends the rule ${key}: version ${lastVersion + 1} of its terms is disabled, so that it gives nothing for events from now on.`;
    return { action: 'end', path: `rules.${key}`, from, to, sentence };
  }
  const what = rule.terms ? describeTermsChange(rule.terms, terms) : describeRule(rule, terms);
  const sentence = `Publishes version ${lastVersion + 1} of the terms of the rule ${key}: ${what}. It applies to events from now on.`;
  return { action: 'publish', path: `rules.${key}.terms`, from, to, sentence };
}

/** Rules that earn on although the definition lists others. */
export function noteOthers(
  inForce: ProgramInForce,
  { rules }: ProgramDefinition,
  prune: boolean,
): PlanChange[] {
  if (!rules || prune) return [];
  return inForce.rules
    .filter(({ key, terms }) => terms?.enabled && !Object.hasOwn(rules, key))
    .map(({ key, terms }) => ({
      action: 'none',
      path: `rules.${key}`,
      from: terms && writeTerms(terms),
      to: terms && writeTerms(terms),
      sentence: `Leaves the rule ${key}, which is not in the file. Prune to end it.`,
    }));
}

/** What stays although somebody may expect otherwise: a definition does not show it. */
export function noteScheduled(inForce: ProgramInForce): PlanChange[] {
  return listScheduled(inForce).map(({ path, version, effectiveAt }) => ({
    action: 'none',
    path,
    from: null,
    to: { version, effectiveAt },
    sentence: `Leaves version ${version}, which is scheduled for ${effectiveAt}.`,
  }));
}
