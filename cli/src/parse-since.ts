import { CliError, EXIT } from './cli-error.ts';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time, or a duration before now: `2026-11-15T00:00:00Z`, `30m`, `24h`, `7d`. */
export function parseSince(given: unknown, nowMs: number): string | null {
  if (given === undefined) return null;
  const text = String(given);
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const ms = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
    return new Date(nowMs - ms).toISOString();
  }
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new CliError(
    `--since must be a time such as 2026-11-15T00:00:00Z, or a span such as 30m, 24h or 7d, not "${text}".`,
    EXIT.usage,
  );
}
