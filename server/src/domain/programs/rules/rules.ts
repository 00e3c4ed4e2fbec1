import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, type Issue, notFound } from '../../../platform/kit/errors.ts';
import { decideKey } from '../keys.ts';
import type { ProgramDeps } from '../program-deps.ts';
import { findProgram, findRule, listRules } from '../queries.ts';
import { refuseInvalid } from '../refuse-invalid.ts';
import type { BenefitRule, CreatedRule, CreateRule, RewardTerms } from '../schema.ts';
import { insertRule, updateRuleName } from '../store.ts';
import { ROLES_BY_KIND } from './benefit-words.ts';
import { decideTerms, type Terms } from './decide-terms.ts';
import { findNamedUnit, type NamedUnit, saveTerms } from './publish-terms.ts';
import { assertTakesVersions } from './versions.ts';

export const RULES_MAX = 100;

/**
 * Adds a rule with version 1 of its terms. Fails with NOT_FOUND (the Program, or a unit),
 * INVALID_REQUEST, or CONFLICT program_not_open, limit_reached, rule_exists, key_taken or unit_mismatch.
 */
export function createRule(
  deps: ProgramDeps,
  request: WriteRequest,
  input: CreateRule,
): Promise<CreatedRule> {
  return deps.writer.run(request, async (write) => {
    const { tx, now, projectId } = write;
    const { programId, eventType, beneficiaryRole, name } = input;
    const purpose = input.purpose ?? 'primary';
    const program = await findProgram(tx, projectId, programId, now);
    if (!program) throw notFound('program');
    const issues: Issue[] = [];
    const roles = ROLES_BY_KIND[program.kind];
    if (!roles.includes(beneficiaryRole)) {
      const issue = `must be ${roles.join(' or ')} in a ${program.kind} program`;
      issues.push({ path: 'beneficiaryRole', issue });
    }
    const terms = decideTerms(input.terms, { eventType, beneficiaryRole, purpose }, now, issues);
    refuseInvalid(issues);
    const unit = await findNamedUnit(write, input.terms);
    assertTakesVersions(program);
    const others = await listRules(tx, projectId, programId);
    if (others.length >= RULES_MAX) {
      throw conflict('limit_reached', `A program has at most ${RULES_MAX} rules.`);
    }
    const isTaken = others.some(
      (other) =>
        other.purpose === 'primary' &&
        other.eventType === eventType &&
        other.beneficiaryRole === beneficiaryRole,
    );
    if (purpose === 'primary' && isTaken) {
      throw conflict(
        'rule_exists',
        `The program already has a primary rule for the ${beneficiaryRole} of a ${eventType}. Publish new terms for it, or make this one a bonus.`,
      );
    }
    const key = decideKey(input, 'rule', new Set(others.map((other) => other.key)));
    const rule: BenefitRule = {
      id: write.newId('rul'),
      createdAt: now,
      updatedAt: now,
      projectId,
      programId,
      eventType,
      beneficiaryRole,
      purpose,
      key,
      name,
      initialEffectiveAt: terms.effectiveAt,
    };
    const published = saveRule(deps, write, request, {
      rule,
      number: others.length + 1,
      terms,
      unit,
    });
    return { answer: { ...rule, terms: published } };
  });
}

interface NewRule {
  readonly rule: BenefitRule;
  readonly number: number;
  readonly terms: Terms;
  readonly unit: NamedUnit | null;
}

/** With version 1 of its terms. */
export function saveRule(
  deps: Pick<ProgramDeps, 'countDays'>,
  write: ProjectWrite,
  request: WriteRequest,
  { rule, number, terms, unit }: NewRule,
): RewardTerms {
  insertRule(write.changeConfig(), rule, number);
  const { programId, eventType, beneficiaryRole, purpose, key, name } = rule;
  recordAudit(write, request, {
    action: 'benefit_rule.create',
    targetType: 'benefit_rule',
    targetId: rule.id,
    changes: { programId, eventType, beneficiaryRole, purpose, key, name },
  });
  return saveTerms(deps, write, request, { rule, version: 1, terms, unit });
}

/** A name is for people: it does not affect the rule. Fails with NOT_FOUND. */
export function renameRule(
  deps: ProgramDeps,
  request: WriteRequest,
  ruleId: string,
  name: string,
): Promise<{ ruleId: string; name: string }> {
  return deps.writer.run(request, async (write) => {
    const rule = await findRule(write.tx, write.projectId, ruleId);
    if (!rule) throw notFound('benefit rule');
    if (rule.name !== name) saveRuleName(write, request, rule, name);
    return { answer: { ruleId, name } };
  });
}

export function saveRuleName(
  write: ProjectWrite,
  request: WriteRequest,
  rule: Pick<BenefitRule, 'id' | 'name'>,
  name: string,
): void {
  updateRuleName(write.changeConfig(), write.projectId, rule.id, { name, at: write.now });
  recordAudit(write, request, {
    action: 'benefit_rule.rename',
    targetType: 'benefit_rule',
    targetId: rule.id,
    changes: { name },
    before: rule,
  });
}
