import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const GENERATOR = fileURLToPath(new URL('./generator.mjs', import.meta.url));
const WARM_UP_MS = 1_500;
let runs = 0;

/**
 * Sends signups with a code over `connections` keep-alive connections, spread over the
 * services, and returns rates, latencies in ms, batch sizes, and CPU in ms per request.
 */
export async function drive({ services, cluster = null, targets, connections, seconds }) {
  runs += 1;
  const child = spawn(process.execPath, [GENERATOR], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.end(
    JSON.stringify({
      urls: services.map(({ url }) => url),
      targets,
      connections,
      warmUpMs: WARM_UP_MS,
      measureMs: seconds * 1_000,
      run: `${Date.now().toString(36)}-${runs}`,
    }),
  );
  const observe = async () => ({
    services: await Promise.all(services.map((service) => service.metrics())),
    database: cluster?.cpuSeconds() ?? 0,
  });
  let before;
  let after;
  let figures;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'measuring') before = observe();
    else if (line === 'measured') after = observe();
    else figures = JSON.parse(line);
  }
  const [code] = await ended;
  if (code !== 0 || !figures) throw new Error('The generator failed.');
  if (figures.failures.length > 0) {
    throw new Error(`Not every signup was taken: ${JSON.stringify(figures.failures)}`);
  }
  const [from, to] = await Promise.all([before, after]);
  const grown = (name) =>
    to.services.reduce((sum, one, index) => sum + one[name] - from.services[index][name], 0);
  const perRequest = (cpuSeconds) => (cpuSeconds * 1_000) / figures.count;
  return {
    ...figures,
    batchSize: grown('commands') / grown('batches'),
    serviceCpuMs: perRequest(grown('cpuSeconds')),
    databaseCpuMs: perRequest(to.database - from.database),
  };
}
