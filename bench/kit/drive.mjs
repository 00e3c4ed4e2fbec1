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
    await generate({ urls: [url], targets, connections: 16, eachOnce: true }, () => undefined);
  }
}

/**
 * Sends signups with a code over `connections` keep-alive connections, spread over the
 * services, and returns rates, latencies in ms, batch sizes, and CPU in ms per request.
 */
export async function drive({ services, cluster = null, targets, connections, seconds }) {
  const observe = async () => ({
    services: await Promise.all(services.map((service) => service.metrics())),
    database: cluster?.cpuSeconds() ?? 0,
    walBytes: await cluster?.walBytes?.(),
  });
  const observed = {};
  const urls = services.map(({ url }) => url);
  const figures = await generate(
    { urls, targets, connections, warmUpMs: WARM_UP_MS, measureMs: seconds * 1_000 },
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

async function generate(job, onMark) {
  runs += 1;
  const child = spawn(process.execPath, [GENERATOR], { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanUpAtExit({ child });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify({ ...job, run: `${Date.now().toString(36)}-${runs}` }));
  let figures;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) figures = JSON.parse(line);
    else onMark(line);
  }
  const [code] = await ended;
  if (code !== 0 || !figures) throw new Error('The generator failed.');
  if (figures.failures.length > 0) {
    throw new Error(`Not every signup was taken: ${JSON.stringify(figures.failures)}`);
  }
  return figures;
}
