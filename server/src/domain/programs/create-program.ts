import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { Environment, WriteRequest } from '../../platform/http/access/principal.ts';
import { conflict } from '../../platform/kit/errors.ts';
import { decideNew, type ProgramFacts } from './decide-program.ts';
import { DEFAULT_DELIVERY, type DeliveryChoice } from './delivery-methods.ts';
import { decideKey } from './keys.ts';
import { DEFAULT_POLICY, type PolicyChoice } from './policies/attribution-policy.ts';
import { toProgram } from './present.ts';
import { DEFAULT_CONFIG } from './program-config.ts';
import { authorOf, type ProgramDeps } from './program-deps.ts';
import { listProgramKeys } from './queries.ts';
import type { CreateProgram, Program } from './schema.ts';
import { insertPolicy, insertProgram, type ProgramRow, upsertDelivery } from './store.ts';

export const PROGRAMS_MAX = 500;

/**
 * Creates a draft with default delivery settings and, except for loyalty, a first attribution
 * policy. Fails with INVALID_REQUEST, or CONFLICT limit_reached or key_taken.
 */
export async function createProgram(
  deps: ProgramDeps,
  request: WriteRequest,
  environment: Environment,
  input: CreateProgram,
): Promise<Program> {
  const facts = decideNew(input.kind, input, environment, DEFAULT_CONFIG);
  return deps.writer.run(request, async (write) => {
    const taken = new Set(await listProgramKeys(write.tx, write.projectId));
    const key = decideKey(input, 'program', taken);
    const program = saveNewProgram(write, request, { facts, key });
    return { answer: toProgram(program, write.now) };
  });
}

interface NewProgram {
  readonly facts: ProgramFacts;
  /** Of no other Program of the Project. */
  readonly key: string;
  readonly delivery?: DeliveryChoice;
  readonly policy?: PolicyChoice;
}

/** Fails with CONFLICT limit_reached. */
export function saveNewProgram(
  write: ProjectWrite,
  request: WriteRequest,
  { facts, key, delivery = DEFAULT_DELIVERY, policy = DEFAULT_POLICY }: NewProgram,
): ProgramRow {
  const { now, projectId } = write;
  const number = write.nextNumber('programs');
  if (number > PROGRAMS_MAX) {
    throw conflict('limit_reached', `A project has at most ${PROGRAMS_MAX} programs.`);
  }
  const id = write.newId('prg');
  const program: ProgramRow = { ...facts, id, key, projectId, createdAt: now, updatedAt: now };
  const configTx = write.changeConfig();
  insertProgram(configTx, program, number);
  upsertDelivery(configTx, { ...delivery, projectId, programId: id, updatedAt: now });
  if (facts.kind !== 'loyalty') {
    insertPolicy(configTx, {
      ...policy,
      id: write.newId('pol'),
      projectId,
      programId: id,
      version: 1,
      effectiveAt: now,
      author: authorOf(request.actor),
      createdAt: now,
      updatedAt: now,
    });
  }
  const { kind, name, startDate, endDate, config } = program;
  recordAudit(write, request, {
    action: 'program.create',
    targetType: 'program',
    targetId: id,
    changes: { kind, key, name, startDate, endDate, config },
  });
  return program;
}
