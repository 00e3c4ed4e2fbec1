import type { Environment } from '../../platform/http/access/principal.ts';
import { AppError, conflict, type Issue } from '../../platform/kit/errors.ts';
import { type Instant, parseInstant } from '../../platform/kit/instant.ts';
import type { StatusInterval } from './program-book.ts';
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
  isOver,
  type ProgramKind,
  type ProgramStatus,
} from './program-status.ts';
import { refuseInvalid } from './refuse-invalid.ts';

/** The inputs of decisions about a Program. */
export interface ProgramFacts {
  readonly kind: ProgramKind;
  readonly name: string;
  readonly status: ProgramStatus;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  readonly config: ProgramConfig;
}

/** A new status and its start; the previous interval ends then. */
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

interface Circumstances {
  readonly now: Instant;
  readonly environment: Environment;
  /** The intervals of the Program's statuses, oldest first. */
  readonly intervals: readonly StatusInterval[];
}

/**
 * Late facts are judged by the dates, so no change may affect what the dates say about the past. A
 * Program that its end date ended resumes now if the end moves into the future; the time between
 * stays ended. Fails with INVALID_REQUEST, or CONFLICT invalid_transition for other dates of a
 * Program that is over.
 */
export function decideChange(
  program: ProgramFacts,
  change: ProgramChange,
  { now, environment, intervals }: Circumstances,
): Decided {
  const settled = settle(program, now);
  const reopened = reopen(program, settled, change, { now, intervals });
  const asked: ProgramFacts = {
    ...settled.program,
    ...(reopened ? { status: reopened } : {}),
    name: change.name ?? program.name,
    startDate: changedDate(program.startDate, change.startDate),
    endDate: changedDate(program.endDate, change.endDate),
    config: mergeConfig(program.config, change.config),
  };
  const issues = change.config === undefined ? [] : configIssues(asked, environment);
  issues.push(...dateIssues(asked, change.endDate === undefined ? 'startDate' : 'endDate'));
  issues.push(...startIssues(program.startDate, asked, now));
  refuseInvalid(issues);
  const movesDates = asked.startDate !== program.startDate || asked.endDate !== program.endDate;
  if (movesDates && isOver(asked.status)) {
    const message = `The dates of an ${asked.status} program cannot be changed.`;
    throw conflict('invalid_transition', message);
  }
  if (reopened) {
    if (reopened === 'active') refuseUnready(asked, now);
    return { program: asked, moves: [...settled.moves, { status: reopened, at: now }] };
  }
  const status = effectiveStatus(asked, now);
  if (status === asked.status) return { program: asked, moves: settled.moves };
  // A requested end in the past becomes now: the Program's past does not change.
  const ended: ProgramFacts = { ...asked, status, endDate: now };
  return { program: ended, moves: [...settled.moves, { status, at: now }] };
}

/** Fails with CONFLICT invalid_transition. Moving to the current status changes nothing. */
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

/** Fails with INVALID_REQUEST. */
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

/** The status that a later end restores: the one before the end date passed. */
function reopen(
  program: ProgramFacts,
  settled: Decided,
  change: ProgramChange,
  { now, intervals }: Pick<Circumstances, 'now' | 'intervals'>,
): ProgramStatus | undefined {
  if (settled.program.status !== 'ended' || change.endDate === undefined) return undefined;
  const asked = changedDate(program.endDate, change.endDate);
  if (asked !== null && asked <= now) return undefined;
  if (program.status !== 'ended') return program.status;
  const [before, last] = intervals.slice(-2);
  // If it was ended by its status, the last interval begins at another time.
  return last?.status === 'ended' && last.startsAt === program.endDate ? before?.status : undefined;
}

/** Records an end that came with the end date. */
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
    details.push({ path: LANDING_PAGE_PATH, issue: 'is required to activate the program' });
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
  const { kind, config } = program;
  const issues = findConfigIssues(config, kind, environment);
  if (isRunning(program) && lacksLandingPage(kind, config)) {
    issues.push({ path: LANDING_PAGE_PATH, issue: 'cannot be removed from a running program' });
  }
  return issues;
}

function dateIssues({ startDate, endDate }: ProgramFacts, path: string): Issue[] {
  if (startDate === null || endDate === null || endDate > startDate) return [];
  const issue = path === 'startDate' ? 'must be before endDate' : 'must be after startDate';
  return [{ path, issue }];
}

/** A running Program begins at its start date, or without one began when it was activated. */
function startIssues(current: Instant | null, asked: ProgramFacts, now: Instant): Issue[] {
  const { startDate } = asked;
  if (startDate === current || !isRunning(asked)) return [];
  if (current === null || current <= now) {
    return [{ path: 'startDate', issue: 'cannot be changed after the program has begun' }];
  }
  if (startDate !== null && startDate >= now) return [];
  return [{ path: 'startDate', issue: 'must not be in the past for a running program' }];
}

function isRunning({ status }: Pick<ProgramFacts, 'status'>): boolean {
  return status === 'active' || status === 'paused';
}

/** Undefined keeps, null clears; the text is already validated as a time. */
function changedDate(current: Instant | null, asked: string | null | undefined): Instant | null {
  if (asked === undefined) return current;
  return asked === null ? null : (parseInstant(asked) ?? null);
}
