import { VERSION } from '../version.ts';
import { compareClocks, type Finding, ok, problem, warning, whyOf } from './finding.ts';

const TIMEOUT_MS = 10_000;
/** The Date header has whole seconds. */
const DATE_SLACK_MS = 1_000;

/**
 * Calls the address, whether Goodword answers there or not: status and clock are checked as well.
 */
const ask = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });

/** The running service: whether it answers, is migrated and has this version, and its clock. */
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
        `The server at ${baseUrl} is not Goodword (HTTP ${ready.status})`,
        'Set GOODWORD_URL to the address of Goodword.',
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
          'See its log: the database does not answer or is not migrated.',
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
    return ok('version', `${VERSION}, for both the service and this command line`);
  return warning(
    'version',
    `The service has ${version ?? 'an unknown version'}, this command line ${VERSION}`,
    'Use the same version for both.',
  );
}
