/** Says what the start is at. `isRare`: whoever waits should know of it at once. */
export type Report = (what: string, more?: { isRare?: boolean; migration?: string }) => void;

interface Line {
  readonly elapsedMs: number;
  readonly migration?: string;
}

/** A step that nobody has to know of is told only if those since the last line took that long. */
const LONG_MS = 2_000;

/**
 * A start says nothing on its way, as long as it is short: only that it is ready, in its welcome.
 * After a crash, and where it takes long, it tells of every step as it begins, so that the last line
 * says what it is at.
 */
export function createReport(say: (line: Line, what: string) => void, nowMs: () => number): Report {
  const startedMs = nowMs();
  let toldMs = startedMs;
  let tellsAll = false;
  return (what, { isRare = false, migration } = {}) => {
    const now = nowMs();
    tellsAll ||= isRare;
    if (!tellsAll && now - toldMs < LONG_MS) return;
    toldMs = now;
    const elapsedMs = Math.round(now - startedMs);
    say({ elapsedMs, ...(migration === undefined ? {} : { migration }) }, `start: ${what}`);
  };
}
