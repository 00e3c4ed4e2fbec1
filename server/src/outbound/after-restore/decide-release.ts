import { type AppError, conflict } from '../../platform/kit/errors.ts';
import type { CheckStatus } from './checks/check.ts';

/** What stands between a restored store and paying again. */
export interface Standing {
  readonly checks: readonly {
    readonly method: string;
    readonly environment: string;
    readonly status: CheckStatus;
    readonly overrideReason: string | null;
  }[];
  /** Advances whose payee is not known. */
  readonly unassigned: number;
}

/** The accounts that were neither asked nor overridden. */
export function openChecks({ checks }: Standing): Standing['checks'] {
  return checks.filter(
    ({ status, overrideReason }) => status !== 'asked' && overrideReason === null,
  );
}

/** Why a workspace cannot be released; null if it can. */
export function judgeRelease(standing: Standing, acceptsUnassigned: boolean): AppError | null {
  const open = openChecks(standing);
  if (open.length > 0) {
    const names = open.map(({ method, environment }) => `${method} (${environment})`).join(', ');
    return conflict(
      'checks_open',
      `These accounts were not asked yet: ${names}. Wait until they are, or record for each why it need not be asked.`,
    );
  }
  if (standing.unassigned > 0 && !acceptsUnassigned) {
    return conflict(
      'advances_unassigned',
      `${standing.unassigned} transfers were made to somebody who is not known here. Assign or dismiss them, or accept that they only count once somebody is paid to the same account.`,
    );
  }
  return null;
}
