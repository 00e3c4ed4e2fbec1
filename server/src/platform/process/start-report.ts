/** Reports the current step of the start. `isRare` steps are shown at once. */
export type Report = (what: string, more?: { isRare?: boolean; migration?: string }) => void;

interface Line {
  readonly elapsedMs: number;
  readonly migration?: string;
}

/** Other steps are shown only if those since the last line took this long. */
const LONG_MS = 2_000;

/**
 * A short start prints only the welcome when it is ready. From a rare step on, such as after a crash,
 * every step is printed as it begins, so that the last line shows the current one. Other steps are
 * printed only if the start takes long.
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
