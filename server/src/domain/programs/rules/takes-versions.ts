import { conflict } from '../../../platform/kit/errors.ts';
import type { ProgramState } from '../find-program.ts';

/** Fails with CONFLICT program_not_open for a Program that is over: later rules, terms or policies could never count. */
export function assertTakesVersions(program: Pick<ProgramState, 'status'>): void {
  if (program.status === 'ended' || program.status === 'archived') {
    throw conflict('program_not_open', `The program is ${program.status}.`);
  }
}
