/** The result of a check. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do about it; null for nothing. */
  readonly advice: string | null;
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

const SMALL_MS = 2_000;
const GREAT_MS = 60_000;

/** Compares two clocks. `slackMs` is the uncertainty of the comparison. */
export function compareClocks(check: string, aheadMs: number, slackMs: number): Finding {
  const off = Math.max(0, Math.abs(aheadMs) - slackMs);
  const seconds = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s`;
  const advice = 'Let both machines keep their clocks by NTP.';
  if (off < SMALL_MS) return ok(check, 'agrees with this machine’s clock');
  return off < GREAT_MS
    ? warning(check, `is ${seconds}`, advice)
    : problem(check, `is ${seconds}: signed webhooks and tokens are refused`, advice);
}

/** Why a call failed, without anything that an address may contain. */
export function whyOf(error: unknown): string {
  const { code, name, cause } = error as NodeJS.ErrnoException;
  const inner = (cause as NodeJS.ErrnoException | undefined)?.code;
  return inner ?? code ?? name;
}
