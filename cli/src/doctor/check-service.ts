import { VERSION } from '../version.ts';
import { compareClocks, type Finding, ok, problem, warning, whyOf } from './finding.ts';

const TIMEOUT_MS = 10_000;
/** The header has whole seconds. */
const DATE_SLACK_MS = 1_000;

/** What answers there, be it Goodword or not: its status and its clock are looked at, too. */
const ask = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });

/** The running service: that it answers, is migrated, has this version, and what time it has. */
export async function checkService(baseUrl: string): Promise<Finding[]> {
  const askedMs = Date.now();
  const ready = await ask(`${baseUrl}/readyz`).catch((error: unknown) => whyOf(error));
  if (typeof ready === 'string') {
    return [
      problem(
        'service',
        `does not answer at ${baseUrl} (${ready})`,
        'Start it with npm start; if it runs elsewhere, set GOODWORD_URL.',
      ),
    ];
  }
  const status = ((await ready.json().catch(() => null)) as { status?: string } | null)?.status;
  if (status === undefined) {
    return [
      problem(
        'service',
        `What answers at ${baseUrl} is not Goodword (HTTP ${ready.status})`,
        'Set GOODWORD_URL to where it is.',
      ),
    ];
  }
  const answeredMs = Date.now();
  const date = Date.parse(ready.headers.get('date') ?? '');
  const middleMs = (askedMs + answeredMs) / 2;
  return [
    status === 'ready'
      ? ok('service', `answers at ${baseUrl}, and its database is migrated`)
      : problem(
          'service',
          `answers at ${baseUrl}, but is ${status.replace('_', ' ')}`,
          'See its log: the database does not answer, or is not migrated.',
        ),
    await checkVersion(baseUrl),
    ...(Number.isNaN(date)
      ? []
      : [compareClocks('service’s clock', date - middleMs, DATE_SLACK_MS + answeredMs - askedMs)]),
  ];
}

async function checkVersion(baseUrl: string): Promise<Finding> {
  const version = await ask(`${baseUrl}/openapi.json`)
    .then(async (answer) => (await answer.json()) as { info?: { version?: string } })
    .then(({ info }) => info?.version)
    .catch(() => undefined);
  if (version === VERSION)
    return ok('version', `${VERSION}, of the service and of this command line`);
  return warning(
    'version',
    `The service has ${version ?? 'an unknown version'}, this command line ${VERSION}`,
    'Use the command line of the service’s version.',
  );
}
