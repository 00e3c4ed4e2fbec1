import { conflict } from '../../../platform/kit/errors.ts';
import type { ProgramState } from '../find-program.ts';

/** Throws CONFLICT program_not_open for what is over: no later rule, terms or policy could ever count there. */
export function assertTakesVersions(program: Pick<ProgramState, 'status'>): void {
  if (program.status === 'ended' || program.status === 'archived') {
    throw conflict('program_not_open', `The program is ${program.status}.`);
  }
}
