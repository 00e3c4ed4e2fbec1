/** Reports the current step of the start. `isRare` steps are shown at once. */
export type Report = (
  what: string,
  more?: { isRare?: boolean; migration?: string; table?: string },
) => void;

interface Line {
  readonly elapsedMs: number;
  readonly migration?: string;
  readonly table?: string;
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
  let reportedMs = startedMs;
  let reportsAll = false;
  return (what, { isRare = false, migration } = {}) => {
    const now = nowMs();
    reportsAll ||= isRare;
    if (!reportsAll && now - reportedMs < LONG_MS) return;
    reportedMs = now;
    const elapsedMs = Math.round(now - startedMs);
    say({ elapsedMs, ...(migration === undefined ? {} : { migration }) }, `start: ${what}`);
  };
}

/** Printed at the start: addresses and files, and the next steps. */
export function welcome(facts: {
  readonly version: string;
  readonly address: string;
  readonly database: string;
  readonly adminTokenPath: string | null;
  /** Null once there is a user. */
  readonly setupLink: string | null;
}): string {
  const token =
    facts.adminTokenPath === null ? 'from the setting ADMIN_TOKEN' : `in ${facts.adminTokenPath}`;
  const setup =
    facts.setupLink === null
      ? `    Console      ${facts.address}/console\n`
      : `
  The console has no user yet. Open this link to create the first one. It works once, until the next start:

    ${facts.setupLink}
`;
  return `
  Goodword ${facts.version} is ready.

    Address      ${facts.address}
    Docs         ${facts.address}/docs
    Database     ${facts.database}
    Admin token  ${token}
${setup}
  Next, in another terminal, create a workspace, a project and a key:

    npm run goodword -- init

  Stop with Ctrl+C.

`;
}
