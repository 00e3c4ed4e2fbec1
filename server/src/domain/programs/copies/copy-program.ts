import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { findProjectRef } from '../../../accounts/workspaces/queries.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type {
  Principal,
  ProjectRef,
  WriteRequest,
} from '../../../platform/http/access/principal.ts';
import { AppError, conflict, notFound } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { PROGRAMS_MAX } from '../create-program.ts';
import { decideKey } from '../keys.ts';
import type { RiskPolicyVersion } from '../policies/risk-policy.ts';
import { toProgram } from '../present.ts';
import type { TermsVersion } from '../program-book.ts';
import { authorOf, type ProgramDeps } from '../program-deps.ts';
import {
  findDelivery,
  findProgramNames,
  findProgramRow,
  listPolicies,
  listProgramKeys,
  listRiskPolicies,
  listRules,
  listTerms,
} from '../queries.ts';
import { findNamedUnit, type NamedUnit, saveTerms } from '../rules/publish-terms.ts';
import type { AttributionPolicy, BenefitRule, CopyProgram, Program } from '../schema.ts';
import {
  insertPolicy,
  insertProgram,
  insertRiskPolicy,
  insertRule,
  upsertDelivery,
} from '../store.ts';
import {
  type CopySource,
  type CopyWarning,
  decideCopy,
  pickVersion,
  proposeName,
} from './decide-copy.ts';

interface Original extends CopySource {
  /** By the clock of its Project. */
  readonly now: Instant;
  readonly policy: AttributionPolicy | undefined;
  readonly riskPolicy: RiskPolicyVersion | undefined;
  readonly rules: readonly { readonly rule: BenefitRule; readonly terms: TermsVersion }[];
}

interface Copied {
  readonly program: Program;
  readonly warnings: readonly CopyWarning[];
}

/**
 * Copies a Program's texts, looks, rules, terms and settings into a draft, and nothing about people
 * or money. Fails with NOT_FOUND, ENVIRONMENT_MISMATCH for a key, CONFLICT limit_reached or
 * unit_mismatch.
 */
export async function copyProgram(
  deps: ProgramDeps,
  { principal, request }: { readonly principal: Principal; readonly request: WriteRequest },
  project: ProjectRef,
  { programId, fromProjectId, name }: CopyProgram,
): Promise<Copied> {
  const from = await findSource(deps, project, fromProjectId ?? project.id);
  if (principal.type === 'key' && from.environment !== project.environment) {
    throw new AppError(
      'ENVIRONMENT_MISMATCH',
      'An API key works in one environment. Copy to the other one in the console, or as an operator.',
    );
  }
  const [original, connected] = await Promise.all([
    readOriginal(deps, from, programId),
    deps.findConnected(project.id),
  ]);
  return deps.writer.run(request, async (write) => {
    const { now, projectId } = write;
    const taken = new Set((await findProgramNames(write.tx, projectId)).values());
    const copy = decideCopy(original, {
      environment: project.environment,
      connected,
      name: name ?? proposeName(original.program.name, from.id === project.id, taken),
    });
    const units = await findUnits(write, original);
    const number = write.nextNumber('programs');
    if (number > PROGRAMS_MAX) {
      throw conflict('limit_reached', `A project has at most ${PROGRAMS_MAX} programs.`);
    }
    const id = write.newId('prg');
    const keys = new Set(await listProgramKeys(write.tx, projectId));
    const key = decideKey(copy.program, 'program', keys);
    const row = { ...copy.program, id, key, projectId, createdAt: now, updatedAt: now };
    const configTx = write.changeConfig();
    insertProgram(configTx, row, number);
    upsertDelivery(configTx, { ...copy.delivery, projectId, programId: id, updatedAt: now });
    if (original.policy) {
      const { model, windowDays, bindingTrigger } = original.policy;
      insertPolicy(configTx, {
        id: write.newId('pol'),
        createdAt: now,
        updatedAt: now,
        projectId,
        programId: id,
        version: 1,
        model,
        windowDays,
        bindingTrigger,
        effectiveAt: startOf(original.policy, original, now),
        author: authorOf(request.actor),
      });
    }
    if (original.riskPolicy) {
      insertRiskPolicy(configTx, {
        ...original.riskPolicy,
        id: write.newId('rkp'),
        createdAt: now,
        updatedAt: now,
        projectId,
        programId: id,
        version: 1,
        effectiveAt: startOf(original.riskPolicy, original, now),
        author: authorOf(request.actor),
      });
    }
    recordAudit(write, request, {
      action: 'program.copy',
      targetType: 'program',
      targetId: id,
      changes: { fromProjectId: from.id, fromProgramId: programId, name: row.name },
    });
    saveRules(deps, write, request, { programId: id, original, units });
    return { answer: { program: toProgram(row, now), warnings: copy.warnings } };
  });
}

/** Fails with NOT_FOUND for a Project of another Workspace. */
async function findSource(
  { database }: ProgramDeps,
  project: ProjectRef,
  projectId: string,
): Promise<ProjectRef> {
  if (projectId === project.id) return project;
  const from = await findProjectRef(database.reads, projectId);
  if (from?.workspaceId === project.workspaceId) return from;
  throw new AppError('NOT_FOUND', 'fromProjectId is not a project of this workspace.');
}

async function readOriginal(
  { database: { reads }, clock }: ProgramDeps,
  from: ProjectRef,
  programId: string,
): Promise<Original> {
  const [now, program, delivery, policies, riskPolicies, rules] = await Promise.all([
    projectNow(reads, clock, from),
    findProgramRow(reads, from.id, programId),
    findDelivery(reads, from.id, programId),
    listPolicies(reads, from.id, programId),
    listRiskPolicies(reads, from.id, programId),
    listRules(reads, from.id, programId),
  ]);
  if (!program || !delivery) throw notFound('program');
  const { projectId: _, programId: __, updatedAt: ___, ...choice } = delivery;
  const withTerms = await Promise.all(
    rules.map(async (rule) => {
      const terms = pickVersion(await listTerms(reads, from.id, rule.id), now);
      return terms ? [{ rule, terms }] : [];
    }),
  );
  return {
    now,
    program,
    delivery: choice,
    policy: pickVersion(policies, now),
    riskPolicy: pickVersion(riskPolicies, now),
    rules: withTerms.flat(),
  };
}

/** By key; those that the target lacks are new. Fails with CONFLICT unit_mismatch. */
async function findUnits(write: ProjectWrite, { rules }: Original) {
  const units = new Map<string, NamedUnit>();
  for (const { unit } of rules.map(({ terms }) => terms)) {
    if (!unit || units.has(unit.key)) continue;
    const { key, name, namePlural } = unit;
    const found = await findNamedUnit(write, { unit: { key, name, namePlural } });
    if (found) units.set(key, found);
  }
  return units;
}

interface RulesToSave {
  readonly programId: string;
  readonly original: Original;
  readonly units: Map<string, NamedUnit>;
}

/** In force at once, unless it is still to come where it is copied from. */
function startOf(
  { effectiveAt }: { readonly effectiveAt: Instant },
  original: Original,
  now: Instant,
): Instant {
  return effectiveAt > original.now && effectiveAt > now ? effectiveAt : now;
}

/** Every rule starts with version 1 of its terms. */
function saveRules(
  deps: ProgramDeps,
  write: ProjectWrite,
  request: WriteRequest,
  { programId, original, units }: RulesToSave,
): void {
  const { now, projectId } = write;
  for (const [index, { rule, terms }] of original.rules.entries()) {
    const { eventType, beneficiaryRole, purpose, key, name } = rule;
    const copied: BenefitRule = {
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
      initialEffectiveAt: startOf(terms, original, now),
    };
    insertRule(write.changeConfig(), copied, index + 1);
    const unit = terms.unit ? (units.get(terms.unit.key) ?? null) : null;
    saveTerms(deps, write, request, {
      rule: copied,
      version: 1,
      terms: { ...termsOf(terms), effectiveAt: startOf(terms, original, now) },
      unit,
    });
    if (unit?.isNew) units.set(unit.unit.key, { ...unit, isNew: false });
  }
}

function termsOf(terms: TermsVersion) {
  const { benefitKind, calculation, fixedAmountMinor, currency, currencyExponent } = terms;
  const { rateBps, durationMode, durationMonths, quantity, validityDays } = terms;
  const { conditions, tiers, milestone } = terms;
  const { maxRewardsPerBeneficiary, roundingPolicy, refundPolicy, enabled, changeNote } = terms;
  return {
    benefitKind,
    calculation,
    fixedAmountMinor,
    currency,
    currencyExponent,
    rateBps,
    durationMode,
    durationMonths,
    quantity,
    validityDays,
    maxRewardsPerBeneficiary,
    conditions,
    tiers,
    milestone,
    roundingPolicy,
    refundPolicy,
    enabled,
    changeNote,
  };
}
