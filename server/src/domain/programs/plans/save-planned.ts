import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Environment, WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import { saveChange, saveDelivery } from '../change-program.ts';
import { saveNewProgram } from '../create-program.ts';
import { decideChange } from '../decide-program.ts';
import type { DefinedProgram, ProgramInForce } from '../definition/defined-program.ts';
import type { DefinedTerms } from '../definition/terms-file.ts';
import { savePolicy, saveRiskPolicy } from '../policies/publish-policy.ts';
import type { ProgramDeps } from '../program-deps.ts';
import { findDelivery, findProgramRow, findRule } from '../queries.ts';
import { findNamedUnit, type NamedUnit, saveTerms, VERSIONS_MAX } from '../rules/publish-terms.ts';
import { saveRule, saveRuleName } from '../rules/rules.ts';
import type { DecidedPlan } from './decide-plan.ts';
import type { PlanRow } from './plan-store.ts';

interface Planned {
  readonly environment: Environment;
  readonly plan: PlanRow;
  readonly inForce: ProgramInForce | null;
  readonly decided: DecidedPlan;
}

/** Writes the steps of a plan; returns the id of its Program. Fails with CONFLICT limit_reached. */
export async function savePlanned(
  deps: ProgramDeps,
  write: ProjectWrite,
  request: WriteRequest,
  { environment, plan, inForce, decided }: Planned,
): Promise<string> {
  const { program, steps, isEmpty } = decided;
  const programId = inForce
    ? await saveSettings(write, request, { environment, inForce }, decided)
    : createNew(write, request, program);
  if (inForce && steps.attribution) {
    await savePolicy(write, request, programId, steps.attribution);
  }
  if (steps.risk) await saveRiskPolicy(write, request, programId, steps.risk);
  for (const { ruleId, name } of steps.renamed) {
    const before = inForce?.rules.find(({ id }) => id === ruleId);
    if (before) saveRuleName(write, request, before, name);
  }
  await saveRules(deps, write, request, { environment, plan, inForce, decided, programId });
  if (isEmpty) return programId;
  recordAudit(write, request, {
    action: 'program_plan.apply',
    targetType: 'program',
    targetId: programId,
    changes: {
      planId: plan.id,
      digest: plan.digest,
      prune: plan.prune,
      changes: plan.changes.map(({ sentence }) => sentence),
    },
  });
  return programId;
}

function createNew(write: ProjectWrite, request: WriteRequest, program: DefinedProgram): string {
  const { key, kind, name, startDate, endDate, config, delivery, attribution } = program;
  const facts = { kind, name, startDate, endDate, config, status: 'draft' as const };
  const policy = attribution ? { policy: attribution } : {};
  return saveNewProgram(write, request, { facts, key, delivery, ...policy }).id;
}

async function saveSettings(
  write: ProjectWrite,
  request: WriteRequest,
  { environment, inForce }: { readonly environment: Environment; readonly inForce: ProgramInForce },
  { program, steps }: DecidedPlan,
): Promise<string> {
  const { tx, projectId, now } = write;
  const { id, facts, intervals } = inForce;
  if (steps.changesProgram) {
    const before = await findProgramRow(tx, projectId, id);
    if (!before) throw new Error(`Program ${id} is gone.`);
    const { name, startDate, endDate, config } = program;
    const circumstances = { now, environment, intervals };
    const decided = decideChange(facts, { name, startDate, endDate, config }, circumstances);
    await saveChange(write, request, 'program.change', { before, decided });
  }
  if (steps.delivery) {
    const current = await findDelivery(tx, projectId, id);
    if (!current) throw new Error(`Program ${id} has no delivery settings.`);
    saveDelivery(write, request, current, steps.delivery);
  }
  return id;
}

async function saveRules(
  deps: ProgramDeps,
  write: ProjectWrite,
  request: WriteRequest,
  { plan, inForce, decided: { steps }, programId }: Planned & { readonly programId: string },
): Promise<void> {
  const { tx, projectId, now } = write;
  const units = new Map<string, NamedUnit>();
  const changeNote = `Program file ${plan.digest}, plan ${plan.id}`;
  const stamped = ({ unit: _, ...terms }: DefinedTerms) => {
    return { ...terms, effectiveAt: now, changeNote };
  };
  const findUnit = async ({ unit }: DefinedTerms): Promise<NamedUnit | null> => {
    if (!unit) return null;
    const known = units.get(unit.key);
    if (known) return { ...known, isNew: false };
    const named = await findNamedUnit(write, { unit: { ...unit } });
    if (named) units.set(unit.key, named);
    return named;
  };
  for (const { rule, terms } of steps.published) {
    const stored = await findRule(tx, projectId, rule.id);
    if (!stored) throw new Error(`Rule ${rule.id} is gone.`);
    const version = rule.lastVersion + 1;
    if (version > VERSIONS_MAX) {
      throw conflict('limit_reached', `A rule has at most ${VERSIONS_MAX} versions of its terms.`);
    }
    const unit = await findUnit(terms);
    saveTerms(deps, write, request, { rule: stored, version, terms: stamped(terms), unit });
  }
  for (const [index, created] of steps.newRules.entries()) {
    const { key, name, eventType, beneficiaryRole, purpose, terms } = created;
    const rule = {
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
      initialEffectiveAt: now,
    };
    const number = (inForce?.rules.length ?? 0) + index + 1;
    const unit = await findUnit(terms);
    saveRule(deps, write, request, { rule, number, terms: stamped(terms), unit });
  }
}
