import { conflict } from '../../../platform/kit/errors.ts';
import type { Circumstances } from '../definition/circumstances.ts';
import type { DefinedProgram, ProgramInForce } from '../definition/defined-program.ts';
import type { ProgramDefinition } from '../definition/definition-schema.ts';
import { resolveDefinition } from '../definition/resolve-definition.ts';
import { isOver } from '../program-status.ts';
import { refuseInvalid } from '../refuse-invalid.ts';
import { decideSteps, type PlanSteps } from './decide-steps.ts';
import {
  describePolicies,
  describeProgram,
  describeRules,
  noteOthers,
  noteScheduled,
} from './describe-plan.ts';
import type { PlanChange } from './plan-schema.ts';

export interface DecidedPlan {
  readonly changes: readonly PlanChange[];
  readonly isEmpty: boolean;
  readonly program: DefinedProgram;
  readonly steps: PlanSteps;
}

/**
 * What a definition changes of the Program in force; for null it makes a new one. Fails with INVALID_REQUEST, naming
 * each problem by its path in the definition, or CONFLICT invalid_transition or program_not_open for a Program that
 * is over.
 */
export function planChanges(
  inForce: ProgramInForce | null,
  definition: ProgramDefinition,
  circumstances: Circumstances,
): DecidedPlan {
  const { program, status, issues } = resolveDefinition(definition, inForce, circumstances);
  refuseInvalid(issues);
  const steps = decideSteps(inForce, program);
  const publishes = steps.attribution ?? steps.risk ?? steps.newRules[0] ?? steps.published[0];
  if (publishes && isOver(status)) throw conflict('program_not_open', `The program is ${status}.`);
  const changes = [
    ...describeProgram(inForce, program),
    ...describePolicies(inForce, steps),
    ...describeRules(inForce, steps),
    ...(inForce ? noteOthers(inForce, definition, circumstances.prune) : []),
    ...(inForce ? noteScheduled(inForce) : []),
  ];
  return { changes, isEmpty: changes.every(({ action }) => action === 'none'), program, steps };
}
