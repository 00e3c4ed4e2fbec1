const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface ForwardChoice {
  readonly label: string;
  /** The new time of the clock, from the current one. */
  readonly to: (now: number) => string;
}

const by = (label: string, ms: number): ForwardChoice => ({
  label,
  to: (now) => new Date(now + ms).toISOString(),
});

/** `heldUntil`: when the holds of rewards end, as far as they are known. */
export function forwardChoices(heldUntil: readonly string[], now: number): ForwardChoice[] {
  const ends = heldUntil.filter((at) => Date.parse(at) > now).sort();
  const [first] = ends;
  const last = ends.at(-1);
  const until = (label: string, at: string): ForwardChoice => ({ label, to: () => at });
  return [
    by('+1 hour', HOUR),
    by('+1 day', DAY),
    by('+30 days', 30 * DAY),
    ...(first ? [until('Until the next hold ends', first)] : []),
    ...(last && last !== first ? [until('Until all holds end', last)] : []),
  ];
}

/** `90000000` → `1 day, 1 hour`: the two largest units. */
export function spanText(ms: number): string {
  const units = [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', 60_000],
    ['second', 1000],
  ] as const;
  let rest = ms;
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString()} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.slice(0, 2).join(', ') || 'less than a second';
}
