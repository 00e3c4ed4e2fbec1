/** What a check found. The command line reads these, and prints them among its own. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do about it; null if nothing. */
  readonly advice: string | null;
}

/** A clock beside this machine's. The command line judges it as it judges the service's. */
export interface ClockReading {
  readonly check: string;
  readonly aheadMs: number;
  /** How far the comparison itself may be off. */
  readonly slackMs: number;
}

export const ok = (check: string, message: string): Finding => ({
  check,
  level: 'ok',
  message,
  advice: null,
});

export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  level: 'warning',
  message,
  advice,
});

export const problem = (check: string, message: string, advice: string): Finding => ({
  check,
  level: 'problem',
  message,
  advice,
});

/** Why a call did not work, without anything that an address may hold. */
export function whyOf(error: unknown): string {
  const { code, name, cause } = error as NodeJS.ErrnoException;
  const inner = (cause as NodeJS.ErrnoException | undefined)?.code;
  return inner ?? code ?? name;
}
