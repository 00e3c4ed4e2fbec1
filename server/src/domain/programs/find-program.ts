import type { Queryable } from '../../platform/db/driver.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ProgramConfig } from './program-config.ts';
import { effectiveStatus, type ProgramKind, type ProgramStatus } from './program-status.ts';
import { findProgramRow } from './store.ts';

export interface ProgramState {
  readonly id: string;
  readonly kind: ProgramKind;
  readonly name: string;
  /** The effective status at the requested time. */
  readonly status: ProgramStatus;
  readonly config: ProgramConfig;
}

/** A Program as presented to other domains. */
export async function findProgram(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<ProgramState | undefined> {
  const row = await findProgramRow(db, projectId, programId);
  if (!row) return undefined;
  const { id, kind, name, config } = row;
  return { id, kind, name, status: effectiveStatus(row, now), config };
}

/** Whether people may be enrolled. A draft accepts them, so that a launch can be prepared. */
export function isOpenForJoining(program: Pick<ProgramState, 'status'>): boolean {
  return program.status === 'draft' || program.status === 'active';
}
