import { conflict, type Issue } from '../../../platform/kit/errors.ts';
import { type Instant, parseInstant, toInstant } from '../../../platform/kit/instant.ts';
import type { ProgramStatus } from '../program-status.ts';

/** Rules of a Program, disabled ones included. */
export const RULES_MAX = 100;

/**
 * When a new version takes effect (default now). Never in the past, because earlier decisions must
 * not change; at most a year ahead.
 */
export function decideEffectiveAt(
  asked: string | null | undefined,
  now: Instant,
  path: string,
  issues: Issue[],
): Instant {
  if (asked === null || asked === undefined) return now;
  const effectiveAt = parseInstant(asked);
  if (effectiveAt === undefined) issues.push({ path, issue: 'must be a time' });
  else if (effectiveAt < now) issues.push({ path, issue: 'must not be in the past' });
  else if (effectiveAt > aYearAfter(now)) {
    issues.push({ path, issue: 'must be at most a year ahead' });
  }
  return effectiveAt ?? now;
}

function aYearAfter(now: Instant): Instant {
  const date = new Date(now);
  return toInstant(date.setUTCFullYear(date.getUTCFullYear() + 1));
}

/** Fails with CONFLICT program_not_open for a Program that is over: later rules, terms or policies could never count. */
export function assertTakesVersions(program: { readonly status: ProgramStatus }): void {
  if (program.status === 'ended' || program.status === 'archived') {
    throw conflict('program_not_open', `The program is ${program.status}.`);
  }
}

export const outdated = {
  code: 'CONFLICT',
  reason: 'version_outdated',
  when: 'there is a newer version than `afterVersion`',
} as const;

/**
 * Fails with CONFLICT version_outdated if the caller has not seen the newest version: publishing would silently undo
 * what somebody else has published meanwhile.
 */
export function assertSeen(newest: number, seen: number | null | undefined): void {
  if (seen === null || seen === undefined || seen === newest) return;
  throw conflict('version_outdated', `The newest version is ${newest}, not ${seen}.`);
}
