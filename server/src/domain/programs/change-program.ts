import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Environment, WriteRequest } from '../../platform/http/access/principal.ts';
import { canonicalJson } from '../../platform/kit/canonical-json.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { type Decided, decideChange, decideStatus, type ProgramFacts } from './decide-program.ts';
import {
  type DeliveryChoice,
  findDeliveryIssues,
  mergeDelivery,
  methodOptions,
} from './delivery-methods.ts';
import { toDeliverySettings, toProgram } from './present.ts';
import type { ProgramDeps } from './program-deps.ts';
import type { ProgramStatus } from './program-status.ts';
import { findDelivery, findProgramRow, listIntervals } from './queries.ts';
import { refuseInvalid } from './refuse-invalid.ts';
import type { ChangeDeliverySettings, ChangeProgram, DeliverySettings, Program } from './schema.ts';
import {
  type DeliveryRow,
  insertMove,
  type ProgramRow,
  updateProgram,
  upsertDelivery,
} from './store.ts';

/**
 * Changes name, dates or config. Fails with NOT_FOUND, INVALID_REQUEST, or CONFLICT
 * invalid_transition when it would move the dates of a Program that is over.
 */
export function changeProgram(
  deps: ProgramDeps,
  request: WriteRequest,
  { environment, programId }: { readonly environment: Environment; readonly programId: string },
  input: ChangeProgram,
): Promise<Program> {
  return deps.writer.run(request, async (write) => {
    const program = await loadProgram(write, programId);
    const intervals = await listIntervals(write.tx, write.projectId, programId);
    const decided = decideChange(program, input, { now: write.now, environment, intervals });
    const saved = await saveChange(write, request, 'program.change', { before: program, decided });
    return { answer: toProgram(saved, write.now) };
  });
}

/** Moves a Program to another status. Fails with NOT_FOUND, or CONFLICT invalid_transition. */
export function changeProgramStatus(
  deps: ProgramDeps,
  request: WriteRequest,
  programId: string,
  to: ProgramStatus,
): Promise<Program> {
  return deps.writer.run(request, async (write) => {
    const program = await loadProgram(write, programId);
    const decided = decideStatus(program, to, write.now);
    const saved = await saveChange(write, request, 'program.change_status', {
      before: program,
      decided,
    });
    return { answer: toProgram(saved, write.now) };
  });
}

async function loadProgram(write: ProjectWrite, programId: string): Promise<ProgramRow> {
  const program = await findProgramRow(write.tx, write.projectId, programId);
  if (!program) throw notFound('program');
  return program;
}

/** Writes nothing, not even an audit entry, when nothing changed. */
export async function saveChange(
  write: ProjectWrite,
  request: WriteRequest,
  action: string,
  { before, decided }: { readonly before: ProgramRow; readonly decided: Decided },
): Promise<ProgramRow> {
  const changes = findChanges(before, decided.program);
  if (Object.keys(changes).length === 0) return before;
  const program: ProgramRow = { ...before, ...decided.program, updatedAt: write.now };
  const configTx = write.changeConfig();
  updateProgram(configTx, program);
  for (const move of decided.moves) {
    await insertMove(configTx, write.projectId, before.id, move);
  }
  recordAudit(write, request, {
    action,
    targetType: 'program',
    targetId: before.id,
    changes,
    before,
  });
  return program;
}

const FIELDS = ['name', 'status', 'startDate', 'endDate', 'config'] as const;

function findChanges(before: ProgramFacts, after: ProgramFacts): Partial<ProgramFacts> {
  const changed = FIELDS.filter(
    (field) => canonicalJson(before[field]) !== canonicalJson(after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}

/**
 * Applies to Rewards earned from now on; a call that changes nothing writes nothing. Fails with
 * NOT_FOUND or INVALID_REQUEST.
 */
export async function changeDeliverySettings(
  deps: ProgramDeps,
  request: WriteRequest,
  programId: string,
  input: ChangeDeliverySettings,
): Promise<DeliverySettings> {
  const connected = await deps.findConnected(request.projectId);
  return deps.writer.run(request, async (write) => {
    const current = await findDelivery(write.tx, write.projectId, programId);
    if (!current) throw notFound('program');
    refuseInvalid(findDeliveryIssues(current, input, methodOptions(connected)));
    const choice = mergeDelivery(current, input);
    const isSame = canonicalJson(choice) === canonicalJson(mergeDelivery(current, {}));
    if (isSame) return { answer: toDeliverySettings(current, connected) };
    const settings = saveDelivery(write, request, current, choice);
    return { answer: toDeliverySettings(settings, connected) };
  });
}

export function saveDelivery(
  write: ProjectWrite,
  request: WriteRequest,
  current: DeliveryRow,
  choice: DeliveryChoice,
): DeliveryRow {
  const settings: DeliveryRow = { ...current, ...choice, updatedAt: write.now };
  upsertDelivery(write.changeConfig(), settings);
  recordAudit(write, request, {
    action: 'delivery_settings.change',
    targetType: 'program',
    targetId: current.programId,
    changes: { ...choice },
    before: current,
  });
  return settings;
}
