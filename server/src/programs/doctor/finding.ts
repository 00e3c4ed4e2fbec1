/** The result of a check. The command line reads and prints it among its own. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do about it; null for nothing. */
  readonly advice: string | null;
}

/** Another clock's time. The command line compares it as it does the service's. */
export interface ClockReading {
  readonly check: string;
  readonly aheadMs: number;
  /** The uncertainty of the comparison. */
  readonly slackMs: number;
}

export const ok = (check: string, message: string): Finding => ({
  check,
  level: 'ok',
  message,
  advice: null,
});

const trouble =
  (level: 'warning' | 'problem') =>
  (check: string, message: string, advice: string): Finding => ({ check, level, message, advice });

export const warning = trouble('warning');
export const problem = trouble('problem');

/** Why a call failed, without anything that an address may contain. */
export function whyOf(error: unknown): string {
  const { code, name, cause } = error as NodeJS.ErrnoException;
  const inner = (cause as NodeJS.ErrnoException | undefined)?.code;
  return inner ?? code ?? name;
}
