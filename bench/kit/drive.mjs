import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cleanUpAtExit } from './clean-up.mjs';

const GENERATOR = fileURLToPath(new URL('./generator.mjs', import.meta.url));
const WARM_UP_MS = 1_500;
let runs = 0;

/** One signup to each target through each service, so that what a first one costs is behind. */
export async function warmUp(services, targets) {
  for (const { url } of services) {
    const work = { requests: signupsOf(targets), status: '200' };
    await generate({ urls: [url], ...work, connections: 16, eachOnce: true }, () => undefined);
  }
}

/** Signups with a code over `connections` keep-alive connections, spread over the services. */
export function drive({ targets, ...load }) {
  return driveRequests({ ...load, work: { requests: signupsOf(targets), status: '200' } });
}

/**
 * Sends the requests of `work`, which must all be answered with its status, over `connections`
 * keep-alive connections, spread over the services. Returns rates, latencies in ms, batch sizes, and
 * CPU in ms per request.
 */
export async function driveRequests({ services, cluster = null, work, connections, seconds }) {
  const observe = async () => ({
    services: await Promise.all(services.map((service) => service.metrics())),
    database: cluster?.cpuSeconds() ?? 0,
    walBytes: await cluster?.walBytes?.(),
  });
  const observed = {};
  const urls = services.map(({ url }) => url);
  const figures = await generate(
    { urls, ...work, connections, warmUpMs: WARM_UP_MS, measureMs: seconds * 1_000 },
    (mark) => {
      observed[mark] = observe();
    },
  );
  const [from, to] = await Promise.all([observed.measuring, observed.measured]);
  const grown = (name) =>
    to.services.reduce((sum, one, index) => sum + one[name] - from.services[index][name], 0);
  const perRequest = (cpuSeconds) => (cpuSeconds * 1_000) / figures.count;
  return {
    ...figures,
    batchSize: grown('commands') / grown('batches'),
    serviceCpuMs: perRequest(grown('cpuSeconds')),
    databaseCpuMs: perRequest(to.database - from.database),
    walKb: (to.walBytes - from.walBytes) / 1_024 / figures.count,
    generatorCpuMs: (figures.cpuSeconds * 1_000) / figures.sent,
  };
}

/** The generator writes who signs up, in eight characters, between the two parts of each. */
function signupsOf(targets) {
  runs += 1;
  const run = `${Date.now().toString(36)}-${runs}`;
  return targets.map(({ projectId, sourceNamespaceId, code, key }) => {
    const person = { kind: 'individual', externalId: `${run}-????????` };
    const body = { projectId, sourceNamespaceId, type: 'signup', refCode: code };
    const text = post('/v1/track/events', { ...body, participant: person }, { 'X-Api-Key': key });
    const [before, after] = text.split('????????');
    return { before, after };
  });
}

const CRLF = '\r\n';

/** A request as it is sent, with a body of ASCII. */
export function post(path, body, headers = {}) {
  const text = JSON.stringify(body);
  const all = { 'Content-Type': 'application/json', ...headers, 'Content-Length': text.length };
  return `${head(`POST ${path}`, all)}${text}`;
}

export function get(path, headers = {}) {
  return head(`GET ${path}`, headers);
}

function head(line, headers) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}${CRLF}`);
  return `${line} HTTP/1.1${CRLF}Host: bench${CRLF}${lines.join('')}${CRLF}`;
}

async function generate(job, onMark) {
  const child = spawn(process.execPath, [GENERATOR], { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanUpAtExit({ child });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(job));
  let figures;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) figures = JSON.parse(line);
    else onMark(line);
  }
  const [code] = await ended;
  if (code !== 0 || !figures) throw new Error('The generator failed.');
  if (figures.failures.length > 0) {
    throw new Error(`Not every request was taken: ${JSON.stringify(figures.failures)}`);
  }
  return figures;
}
