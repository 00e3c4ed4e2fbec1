import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const report = process.env.TEST_REPORT;

const limits = {
  // Ends what hangs. How fast things are is for benchmarks to tell: a machine may be slow.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Shorter than what would bring about the same in the end: heartbeats, time limits, retries.
  expect: { poll: { timeout: 10_000 } },
};

/** Tests of the pure code. */
export const unit = {
  test: {
    name: 'unit',
    include: ['{src,test/checks}/**/*.test.ts', '../{widget,console}/src/**/*.test.ts'],
    exclude: ['**/*.live.test.ts'],
    isolate: false,
    // Large functions run too briefly here to earn back what optimizing them costs.
    execArgv: ['--max-optimized-bytecode-size=600'],
    ...limits,
  },
};

/** Tests that share a service and a browser, the files of a worker one after the other. */
const journeys = (name: string, include: string[]) => ({
  test: {
    name,
    include,
    globalSetup: ['test/build.ts', 'test/global-setup.ts'],
    isolate: false,
    ...limits,
  },
});

/** Journeys that run on PostgreSQL with every change; the others do so at night. */
const SMOKE = [
  'adjustments',
  'attribution',
  'dispatch',
  'erasure-everywhere',
  'exports',
  'feed',
  'grants',
  'identify',
  'imports',
  'lists',
  'participants-batch',
  'partners',
  'payouts',
  'programs',
  'rewards',
  'search',
  'subscriptions',
  'tracking',
];

/** Tests that run the built programs, each file in a process of its own. */
const processes = (name: string, include: string[], setup: string[] = []) => ({
  test: {
    name,
    include,
    globalSetup: ['test/build.ts', 'test/global-setup.ts', ...setup],
    ...limits,
  },
});

/** CONTRIBUTING.md says which test belongs where. */
export default defineConfig({
  test: {
    // One more than there are cores: now and then each waits for a socket or a clock.
    maxWorkers: availableParallelism() + 1,
    // Transformed sources are kept: most of a run changes few of them.
    experimental: { fsModuleCache: true },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      unit,
      journeys('journeys', [
        'test/{journeys,sdk}/**/*.test.ts',
        '{src,test/checks}/**/*.live.test.ts',
      ]),
      {
        test: {
          name: 'sdk',
          include: ['../sdk/src/**/*.test.ts'],
          globalSetup: ['test/build.ts'],
          ...limits,
        },
      },
      journeys('smoke', [`test/journeys/{${SMOKE}}.test.ts`]),
      processes(
        'process',
        ['test/embedded/**/*.test.ts', '../sdk/test/**/*.test.ts'],
        ['test/prepare-store.ts'],
      ),
      journeys('postgres', ['test/{orders,postgres}/**/*.test.ts']),
      journeys('browser', ['test/browser/**/*.test.ts']),
      processes('nightly', ['test/nightly/**/*.test.ts']),
    ],
  },
});
