import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import type { Issue } from '../../../platform/kit/errors.ts';
import type { ProgramKind } from '../program-status.ts';
import { ROLES_BY_KIND } from '../rules/benefit-words.ts';
import { decideTerms, type RuleOfTerms } from '../rules/decide-terms.ts';
import { type Circumstances, refuseScheduled } from './circumstances.ts';
import type { DefinedRule, ProgramInForce, RuleInForce } from './defined-program.ts';
import type { DefinitionRule, DefinitionTerms, ProgramDefinition } from './definition-schema.ts';
import {
  askTerms,
  type DefinedTerms,
  type UnitNames,
  withoutNull,
  writeTerms,
} from './terms-file.ts';

export const RULES_MAX = 100;

interface Setting extends Circumstances {
  readonly kind: ProgramKind;
}

/** The rules in force with what the definition says, then its new ones in their order. */
export function resolveRules(
  definition: ProgramDefinition,
  inForce: ProgramInForce | null,
  setting: Setting,
  issues: Issue[],
): DefinedRule[] {
  const asked = new Map(Object.entries(definition.rules ?? {}));
  const units = new Map(setting.units);
  const known = (inForce?.rules ?? []).map((rule) => {
    const change = asked.get(rule.key);
    asked.delete(rule.key);
    if (change) return changeRule(rule, change, { setting, units, issues });
    return setting.prune ? endRule(rule, issues) : rule;
  });
  const rules: DefinedRule[] = [...known];
  for (const [key, rule] of asked) {
    const created = createRule(key, rule, { setting, units, issues });
    if (!created) continue;
    refuseSecondPrimary(created, rules, issues);
    rules.push(created);
  }
  if (rules.length > RULES_MAX) {
    issues.push({
      path: 'rules',
      issue: `must be at most ${RULES_MAX} in a program, disabled ones included`,
    });
  }
  return rules;
}

interface Work {
  readonly setting: Setting;
  /** By key, with those that the definition adds. */
  readonly units: Map<string, UnitNames>;
  readonly issues: Issue[];
}

const FIXED = ['eventType', 'beneficiaryRole', 'purpose'] as const;

function changeRule(rule: RuleInForce, change: DefinitionRule, work: Work): DefinedRule {
  const path = `rules.${rule.key}`;
  for (const field of FIXED) {
    const asked = change[field];
    if (asked === undefined || asked === rule[field]) continue;
    const issue = `must be ${rule[field]}: it never changes. Use another key for a new rule`;
    work.issues.push({ path: `${path}.${field}`, issue });
  }
  const changed = { ...rule, name: change.name ?? rule.name };
  if (!change.terms) return changed;
  const before = rule.terms && canonicalJson(writeTerms(rule.terms));
  // What is in force was accepted once, perhaps by an earlier version.
  if (canonicalJson(withoutNull(change.terms)) === before) return changed;
  const terms = readTerms(rule.key, change.terms, rule, work);
  if (!terms || canonicalJson(writeTerms(terms)) === before) return changed;
  refuseScheduled(rule.scheduled, `${path}.terms`, work.issues);
  return { ...changed, terms };
}

/** A rule that is not in effect yet is left alone: a definition does not show it either. */
function endRule(rule: RuleInForce, issues: Issue[]): DefinedRule {
  if (!rule.terms?.enabled) return rule;
  refuseScheduled(rule.scheduled, `rules.${rule.key}`, issues);
  return { ...rule, terms: { ...rule.terms, enabled: false } };
}

function createRule(key: string, rule: DefinitionRule, work: Work): DefinedRule | undefined {
  const { setting, issues } = work;
  const path = `rules.${key}`;
  const { name, eventType, beneficiaryRole, terms: asked } = rule;
  for (const [field, value] of Object.entries({ name, eventType, beneficiaryRole, terms: asked })) {
    if (value === undefined)
      issues.push({ path: `${path}.${field}`, issue: 'is required for a new rule' });
  }
  if (!name || !eventType || !beneficiaryRole || !asked) return undefined;
  const roles = ROLES_BY_KIND[setting.kind];
  if (!roles.includes(beneficiaryRole)) {
    const issue = `must be ${roles.join(' or ')} in a ${setting.kind} program`;
    issues.push({ path: `${path}.beneficiaryRole`, issue });
  }
  const purpose = rule.purpose ?? 'primary';
  const terms = readTerms(key, asked, { eventType, beneficiaryRole, purpose }, work);
  return terms && { key, name, eventType, beneficiaryRole, purpose, terms };
}

/** Undefined if they have problems, which are added by their paths. */
function readTerms(
  key: string,
  asked: DefinitionTerms,
  rule: RuleOfTerms,
  { setting, units, issues }: Work,
): DefinedTerms | undefined {
  const found: Issue[] = [];
  const {
    effectiveAt: _,
    changeNote: __,
    ...terms
  } = decideTerms(askTerms(asked), rule, setting.now, found);
  const unit = asked.unit ?? null;
  const known = unit && units.get(unit.key);
  if (known && (known.name !== unit.name || known.namePlural !== unit.namePlural)) {
    const issue = `is called ${known.name} (${known.namePlural}) in this project`;
    found.push({ path: 'terms.unit', issue });
  }
  // A file may leave it out: a currency that is known says its exponent.
  const said = found.filter(
    ({ path }) => path !== 'terms.currencyExponent' || isNumber(asked.currencyExponent),
  );
  issues.push(...said.map(({ path, issue }) => ({ path: `rules.${key}.${path}`, issue })));
  if (found.length > 0) return undefined;
  if (unit) units.set(unit.key, unit);
  return {
    ...terms,
    unit: unit && { key: unit.key, name: unit.name, namePlural: unit.namePlural },
  };
}

const isNumber = (value: unknown) => typeof value === 'number';

function refuseSecondPrimary(
  rule: DefinedRule,
  others: readonly DefinedRule[],
  issues: Issue[],
): void {
  const { key, eventType, beneficiaryRole } = rule;
  if (rule.purpose !== 'primary') return;
  const first = others.find(
    (other) =>
      other.purpose === 'primary' &&
      other.eventType === eventType &&
      other.beneficiaryRole === beneficiaryRole,
  );
  if (!first) return;
  issues.push({
    path: `rules.${key}.purpose`,
    issue: `must be bonus: ${first.key} is the primary rule for the ${beneficiaryRole} of a ${eventType}. Use that key to change it`,
  });
}
