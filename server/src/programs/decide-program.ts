import type { Environment } from '../http/principal.ts';
import { AppError, conflict, type Issue } from '../kit/errors.ts';
import { type Instant, parseInstant } from '../kit/instant.ts';
import {
  type ConfigPatch,
  findConfigIssues,
  LANDING_PAGE_PATH,
  lacksLandingPage,
  mergeConfig,
  type ProgramConfig,
} from './program-config.ts';
import {
  canMove,
  effectiveStatus,
  type ProgramKind,
  type ProgramStatus,
} from './program-status.ts';
import { refuseInvalid } from './refuse-invalid.ts';

/** What decisions about a Program look at. */
export interface ProgramFacts {
  readonly kind: ProgramKind;
  readonly name: string;
  readonly status: ProgramStatus;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  readonly config: ProgramConfig;
}

/** A new status and since when; the interval before it ends then. */
export interface StatusMove {
  readonly status: ProgramStatus;
  readonly at: Instant;
}

export interface Decided {
  readonly program: ProgramFacts;
  readonly moves: readonly StatusMove[];
}

interface ProgramChange {
  readonly name?: string | undefined;
  readonly startDate?: string | null | undefined;
  readonly endDate?: string | null | undefined;
  readonly config?: ConfigPatch | null | undefined;
}

/** Ends with INVALID_REQUEST, or CONFLICT invalid_transition for dates of what is over. */
export function decideChange(
  program: ProgramFacts,
  change: ProgramChange,
  now: Instant,
  environment: Environment,
): Decided {
  const settled = settle(program, now);
  const next: ProgramFacts = {
    ...settled.program,
    name: change.name ?? program.name,
    startDate: changedDate(program.startDate, change.startDate),
    endDate: changedDate(program.endDate, change.endDate),
    config: mergeConfig(program.config, change.config),
  };
  const issues = change.config === undefined ? [] : configIssues(next, environment);
  issues.push(...dateIssues(next, change.endDate === undefined ? 'startDate' : 'endDate'));
  refuseInvalid(issues);
  const movesDates = next.startDate !== program.startDate || next.endDate !== program.endDate;
  const isOver = next.status === 'ended' || next.status === 'archived';
  // Late facts are judged by these dates: moving them would rewrite what already counted.
  if (movesDates && isOver) {
    throw conflict('invalid_transition', `The dates of an ${next.status} program cannot be moved.`);
  }
  const status = effectiveStatus(next, now);
  if (status === next.status) return { program: next, moves: settled.moves };
  return { program: { ...next, status }, moves: [...settled.moves, { status, at: now }] };
}

/** Ends with CONFLICT invalid_transition. Moving to the status it has changes nothing. */
export function decideStatus(program: ProgramFacts, to: ProgramStatus, now: Instant): Decided {
  const settled = settle(program, now);
  const from = settled.program.status;
  if (from === to) return { program, moves: [] };
  if (!canMove(from, to)) {
    throw conflict('invalid_transition', `A program cannot go from ${from} to ${to}.`);
  }
  if (to === 'active') refuseUnready(program, now);
  return {
    program: { ...settled.program, status: to },
    moves: [...settled.moves, { status: to, at: now }],
  };
}

/** Ends with INVALID_REQUEST. */
export function decideNew(
  kind: ProgramKind,
  change: ProgramChange & { readonly name: string },
  environment: Environment,
  defaults: ProgramConfig,
): ProgramFacts {
  const program: ProgramFacts = {
    kind,
    name: change.name,
    status: 'draft',
    startDate: changedDate(null, change.startDate),
    endDate: changedDate(null, change.endDate),
    config: mergeConfig(defaults, change.config ?? undefined),
  };
  refuseInvalid([...configIssues(program, environment), ...dateIssues(program, 'endDate')]);
  return program;
}

/** Writes down an end that came with its date. */
function settle(program: ProgramFacts, now: Instant): Decided {
  const status = effectiveStatus(program, now);
  if (status === program.status) return { program, moves: [] };
  return {
    program: { ...program, status },
    moves: [{ status, at: program.endDate as Instant }],
  };
}

function refuseUnready(program: ProgramFacts, now: Instant): void {
  const details: Issue[] = [];
  if (lacksLandingPage(program.kind, program.config)) {
    details.push({ path: LANDING_PAGE_PATH, issue: 'is needed before the program can be active' });
  }
  if (program.endDate !== null && program.endDate <= now) {
    details.push({ path: 'endDate', issue: 'has passed' });
  }
  const [first] = details;
  if (!first) return;
  const message = `The program cannot be activated: ${first.path} ${first.issue}.`;
  throw new AppError('CONFLICT', message, { reason: 'invalid_transition', details });
}

function configIssues(program: ProgramFacts, environment: Environment): Issue[] {
  const { kind, config, status } = program;
  const issues = findConfigIssues(config, kind, environment);
  const isRunning = status === 'active' || status === 'paused';
  if (isRunning && lacksLandingPage(kind, config)) {
    issues.push({ path: LANDING_PAGE_PATH, issue: 'cannot be removed from a running program' });
  }
  return issues;
}

function dateIssues({ startDate, endDate }: ProgramFacts, path: string): Issue[] {
  if (startDate === null || endDate === null || endDate > startDate) return [];
  return [{ path, issue: 'endDate must be after startDate' }];
}

/** Undefined keeps, null clears; the text was checked to be a time. */
function changedDate(current: Instant | null, asked: string | null | undefined): Instant | null {
  if (asked === undefined) return current;
  return asked === null ? null : (parseInstant(asked) ?? null);
}
