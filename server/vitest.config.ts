import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const inBrowser = process.env.TEST_BROWSER === '1';
const report = process.env.TEST_REPORT;

const ON_EMBEDDED = [
  'src/**/*.test.ts',
  '../widget/src/**/*.test.ts',
  '../console/src/**/*.test.ts',
  '../sdk/{src,test}/**/*.test.ts',
  'test/{checks,embedded,journeys,sdk}/**/*.test.ts',
];
/** What asks nothing of a database need not be asked twice. */
const onPostgres = () => [
  ...readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `src/${path}`)
    .filter((path) => /from '[./]+\/test\//.test(readFileSync(path, 'utf8'))),
  'test/{journeys,orders,postgres}/**/*.test.ts',
];

function included(): string[] {
  if (inBrowser) return ['test/browser/**/*.test.ts'];
  if (process.env.TEST_NIGHTLY === '1') return ['test/nightly/**/*.test.ts'];
  return process.env.TEST_DATABASE === 'postgres' ? onPostgres() : ON_EMBEDDED;
}

export default defineConfig({
  test: {
    include: included(),
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    // By default one core is left alone. Chromium and the service that it talks to have use for it.
    ...(inBrowser ? {} : { maxWorkers: availableParallelism() }),
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    // Ends what hangs. How fast things are is for benchmarks to tell: a machine may be slow.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Shorter than what would bring about the same in the end: heartbeats, time limits, retries.
    expect: { poll: { timeout: 10_000 } },
  },
});
