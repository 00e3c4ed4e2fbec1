import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Environment, WriteRequest } from '../../../platform/http/access/principal.ts';
import { canonicalJson } from '../../../platform/kit/canonical-json.ts';
import { AppError, conflict, invalid, notFound } from '../../../platform/kit/errors.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import type { Circumstances } from '../definition/circumstances.ts';
import { listScheduled, type ProgramInForce, toDefinition } from '../definition/defined-program.ts';
import type { ProgramDefinition } from '../definition/definition-schema.ts';
import { loadInForce } from '../definition/load-in-force.ts';
import { parseDefinition } from '../definition/parse-definition.ts';
import { SCHEMA_PATH } from '../definition/schema-file.ts';
import { writeFile } from '../definition/write-file.ts';
import { authorOf, type ProgramDeps } from '../program-deps.ts';
import { findProgramByKey, listUnitsByKey } from '../queries.ts';
import { type DecidedPlan, planChanges } from './decide-plan.ts';
import { digestOf, stateDigest } from './plan-digest.ts';
import type { AppliedPlan, KeptPlan, ProgramPlan } from './plan-schema.ts';
import { findPlan, insertPlan, markApplied, type PlanRow } from './plan-store.ts';
import { PLAN_MS } from './purge-plans.ts';
import { savePlanned } from './save-planned.ts';

interface AskedPlan {
  readonly programId?: string | undefined;
  readonly definition: unknown;
  readonly prune?: boolean | undefined;
}

/**
 * Decides what a definition would change, and writes nothing but the plan. Fails with NOT_FOUND, INVALID_REQUEST, or
 * CONFLICT invalid_transition or program_not_open.
 */
export async function createPlan(
  deps: ProgramDeps,
  request: WriteRequest,
  environment: Environment,
  { programId, definition: given, prune = false }: AskedPlan,
): Promise<ProgramPlan> {
  const definition = parseDefinition(given);
  // An empty list means it; a line without a value may be a mistake.
  if (prune && !definition.rules) {
    throw invalid('prune', 'needs `rules` in the definition: without them, every rule would end');
  }
  const connected = await deps.findConnected(request.projectId);
  return deps.writer.run(request, async (write) => {
    const inForce = await findTarget(write, programId, definition.key);
    const setting = { environment, connected, prune };
    const { changes, isEmpty, program } = await decide(write, inForce, definition, setting);
    const plan: PlanRow = {
      id: write.newId('pln'),
      projectId: write.projectId,
      programId: inForce?.id ?? null,
      programKey: program.key,
      definition,
      prune,
      digest: digestOf(definition),
      baseDigest: stateDigest(inForce),
      changes,
      createdAt: write.realNow,
      createdBy: authorOf(request.actor),
      expiresAt: addMs(write.realNow, PLAN_MS),
      appliedAt: null,
      appliedBy: null,
    };
    insertPlan(write.tx, plan);
    const schemaUrl = deps.baseUrl + SCHEMA_PATH;
    const scheduled = inForce ? listScheduled(inForce) : [];
    const { id: planId, digest, createdAt, expiresAt } = plan;
    return {
      answer: {
        planId,
        programId: plan.programId,
        changes: [...changes],
        isEmpty,
        digest,
        file: writeFile(toDefinition(program), { schemaUrl, scheduled }),
        inForce: inForce && writeFile(toDefinition(inForce), { schemaUrl, scheduled }),
        createdAt,
        expiresAt,
      },
    };
  });
}

/** Undefined if there is none, or it is more than two days old. */
export async function readPlan(
  { database }: Pick<ProgramDeps, 'database'>,
  projectId: string,
  planId: string,
): Promise<KeptPlan | undefined> {
  const plan = await findPlan(database.reads, projectId, planId);
  if (!plan) return undefined;
  const { createdAt, expiresAt, appliedAt, appliedBy } = plan;
  return { ...summaryOf(plan), createdAt, expiresAt, appliedAt, appliedBy };
}

/**
 * Does exactly what a plan says, all of it or nothing; a repeat returns the first answer. Fails with NOT_FOUND, or
 * CONFLICT plan_expired, plan_outdated or limit_reached.
 */
export async function applyPlan(
  deps: ProgramDeps,
  request: WriteRequest,
  environment: Environment,
  planId: string,
): Promise<AppliedPlan> {
  const connected = await deps.findConnected(request.projectId);
  return deps.writer.run(request, async (write) => {
    const plan = await findPlan(write.tx, write.projectId, planId);
    if (!plan) throw notFound('plan');
    if (plan.appliedAt !== null) return { answer: toApplied(plan) };
    if (plan.expiresAt <= write.realNow) {
      throw conflict('plan_expired', `The plan expired at ${plan.expiresAt}. Plan again.`);
    }
    const target = plan.programId ?? (await findIdByKey(write, plan.programKey));
    const inForce = target === null ? null : await findTarget(write, target, undefined);
    if (stateDigest(inForce) !== plan.baseDigest) throw outdated('the program has changed since');
    const setting = { environment, connected, prune: plan.prune };
    const decided = await decideAgain(write, inForce, plan, setting);
    const programId = await savePlanned(deps, write, request, {
      environment,
      plan,
      inForce,
      decided,
    });
    const done = { appliedAt: write.realNow, appliedBy: authorOf(request.actor) };
    markApplied(write.tx, write.projectId, planId, programId, done.appliedAt, done.appliedBy);
    return { answer: toApplied({ ...plan, ...done, programId }) };
  });
}

function outdated(why: string): AppError {
  return conflict('plan_outdated', `The plan cannot be applied any more: ${why}. Plan again.`);
}

/** What was planned may have become impossible, or something else. */
async function decideAgain(
  write: ProjectWrite,
  inForce: ProgramInForce | null,
  { definition, changes }: PlanRow,
  setting: Setting,
): Promise<DecidedPlan> {
  try {
    const decided = await decide(write, inForce, definition, setting);
    if (canonicalJson(decided.changes) === canonicalJson(changes)) return decided;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw outdated(error.message.replace(/\.$/, ''));
  }
  throw outdated('it would do something else now');
}

/** Null for a Program that the plan is to create. */
async function findTarget(
  write: ProjectWrite,
  programId: string | undefined,
  key: string | undefined,
): Promise<ProgramInForce | null> {
  if (programId === undefined && key === undefined) {
    throw invalid('key', 'is required: without it, only programId says which program is meant');
  }
  const id = programId ?? (await findIdByKey(write, key ?? ''));
  if (id === null) return null;
  const inForce = await loadInForce(write.tx, write.projectId, id, write.now);
  if (!inForce) throw notFound('program');
  return inForce;
}

async function findIdByKey({ tx, projectId }: ProjectWrite, key: string): Promise<string | null> {
  return (await findProgramByKey(tx, projectId, key))?.id ?? null;
}

type Setting = Pick<Circumstances, 'environment' | 'connected' | 'prune'>;

async function decide(
  { tx, projectId, now }: ProjectWrite,
  inForce: ProgramInForce | null,
  definition: ProgramDefinition,
  setting: Setting,
): Promise<DecidedPlan> {
  const rules = Object.values(definition.rules ?? {});
  const keys = rules.flatMap(({ terms }) => terms?.unit?.key ?? []);
  const units = keys.length === 0 ? [] : await listUnitsByKey(tx, projectId, keys);
  const byKey = new Map(units.map((unit) => [unit.key, unit]));
  return planChanges(inForce, definition, { ...setting, now, units: byKey });
}

function toApplied(plan: PlanRow): AppliedPlan {
  const { id, programId, appliedAt, appliedBy } = plan;
  if (programId === null || appliedAt === null || appliedBy === null) {
    throw new Error(`Plan ${id} was not applied.`);
  }
  return { ...summaryOf(plan), programId, appliedAt, appliedBy };
}

function summaryOf({ id, programId, changes, digest }: PlanRow) {
  const isEmpty = changes.every(({ action }) => action === 'none');
  return { planId: id, programId, changes: [...changes], isEmpty, digest };
}
