import type { Instant } from '../../platform/kit/instant.ts';

export const PROGRAM_KINDS = ['referral', 'affiliate', 'loyalty'] as const;
export type ProgramKind = (typeof PROGRAM_KINDS)[number];

export const PROGRAM_STATUSES = ['draft', 'active', 'paused', 'ended', 'archived'] as const;
export type ProgramStatus = (typeof PROGRAM_STATUSES)[number];

/** from → to. No other transition is possible. */
const TRANSITIONS: Readonly<Record<ProgramStatus, readonly ProgramStatus[]>> = {
  draft: ['active', 'archived'],
  active: ['paused', 'ended'],
  paused: ['active', 'ended'],
  ended: ['archived'],
  archived: [],
};

export function canMove(from: ProgramStatus, to: ProgramStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Nothing is shared in it, unless a later end date reopens it. */
export function isOver(status: ProgramStatus): boolean {
  return status === 'ended' || status === 'archived';
}

/**
 * The effective status at `now`: an end date that has passed ends a running Program, even if that
 * is not recorded yet. A draft never ran, so no date can end it.
 */
export function effectiveStatus(
  program: { readonly status: ProgramStatus; readonly endDate: Instant | null },
  now: Instant,
): ProgramStatus {
  const isOver = program.endDate !== null && program.endDate <= now;
  return isOver && canMove(program.status, 'ended') ? 'ended' : program.status;
}
