import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';

const report = process.env.TEST_REPORT;

const limits = {
  // Ends what hangs. How fast things are is for benchmarks to tell: a machine may be slow.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Shorter than what would bring about the same in the end: heartbeats, time limits, retries.
  expect: { poll: { timeout: 10_000 } },
};

/**
 * Most functions run too briefly in tests to earn back what optimizing them costs: V8 waits for seven
 * times as much of them as usual. Threads have the flags of this process, other workers their own.
 */
const LATE_OPTIMIZATION = '--interrupt-budget=1000000';
setFlagsFromString(LATE_OPTIMIZATION);

/** Tests of the pure code. */
export const unit = {
  test: {
    name: 'unit',
    include: [
      '{src,test/checks,test/simulation}/**/*.test.ts',
      '../{cli,widget,console,docs-site}/src/**/*.test.ts',
    ],
    exclude: ['**/*.live.test.ts', '../**/*.live.test.ts'],
    globalSetup: ['test/build-sdk.ts'],
    isolate: false,
    execArgv: [LATE_OPTIMIZATION],
    ...limits,
  },
};

/** Tests whose files run in one process, one after the other, and share a service and a browser. */
const inOneProcess = (name: string, include: string[], setup: string[] = []) => ({
  test: {
    name,
    include,
    globalSetup: ['test/build.ts', 'test/global-setup.ts', ...setup],
    isolate: false,
    ...limits,
  },
});

/** The same in threads of one process, which compiles the embedded database once for all of them. */
const inThreads = (name: string, include: string[]) => {
  const { test } = inOneProcess(name, include);
  return { test: { ...test, pool: 'threads' as const } };
};

/** The same for tests that start programs: they use an embedded database of their own only briefly. */
const besidePrograms = (name: string, include: string[]) => {
  const { test } = inOneProcess(name, include, ['test/prepare-store.ts']);
  // The engine is compiled quickly, not for speed.
  return { test: { ...test, execArgv: [LATE_OPTIMIZATION, '--liftoff-only'] } };
};

/**
 * Journeys that run on PostgreSQL with every change; the others do so at night. Those of payouts, webhooks and reviews
 * are not among them: `test/postgres` and `test/orders` test these on PostgreSQL, with races and faults.
 */
const SMOKE = [
  'erasure-everywhere',
  'exports',
  'feed',
  'imports',
  'lists',
  'participants-batch',
  'search',
  'tracking',
];

/** Tests of PostgreSQL that also hold on a cluster: none of them starts a server of its own or counts what one reads. */
const ON_CLUSTER = [
  'fleet',
  'partner-page',
  'payout-providers',
  'payouts',
  'processes',
  'replay-races',
  'review-races',
  'reward-faults',
  'stream',
  'stripe-races',
  'tracking-races',
  'verify',
  'webhook-receivers',
  'webhook-soak',
  'webhook-workers',
  'writer-races',
];

/** Tests whose files have a process each. */
const inOwnProcess = (name: string, include: string[], setup: string[] = []) => ({
  test: {
    name,
    include,
    globalSetup: ['test/build.ts', 'test/global-setup.ts', ...setup],
    ...limits,
  },
});

const NODE_DOWN = 'test/citus/node-down.test.ts';

const onCluster = (name: string, include: string[], exclude: string[] = []) => {
  const { test } = inOneProcess(name, include);
  return { test: { ...test, exclude, setupFiles: ['test/citus/watch-shards.ts'] } };
};

/** CONTRIBUTING.md says which test belongs where. */
export default defineConfig({
  test: {
    // Journeys sometimes wait for sockets and timers, so they use one worker more than there are cores.
    maxWorkers: availableParallelism() + (process.argv.includes('journeys') ? 1 : 0),
    // Transformed sources are kept: most of a run changes few of them.
    experimental: { fsModuleCache: true },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      unit,
      inThreads('journeys', [
        'test/{journeys,sdk}/**/*.test.ts',
        '{src,test/checks}/**/*.live.test.ts',
        '../cli/src/**/*.live.test.ts',
      ]),
      {
        test: {
          name: 'sdk',
          include: ['../sdk/src/**/*.test.ts'],
          globalSetup: ['test/build.ts'],
          ...limits,
        },
      },
      besidePrograms('process', ['test/embedded/**/*.test.ts', '../sdk/test/**/*.test.ts']),
      inOneProcess('postgres', [
        'test/{orders,postgres}/**/*.test.ts',
        `test/journeys/{${SMOKE}}.test.ts`,
      ]),
      onCluster(
        'citus',
        [
          'test/citus/**/*.test.ts',
          'test/{orders,journeys}/**/*.test.ts',
          `test/postgres/{${ON_CLUSTER}}.test.ts`,
        ],
        [NODE_DOWN],
      ),
      // By itself: it kills a node that the others use.
      onCluster('citus-node', [NODE_DOWN]),
      inOneProcess('browser', ['test/browser/**/*.test.ts']),
      inOwnProcess('nightly', ['test/nightly/**/*.test.ts'], ['test/prepare-store.ts']),
    ],
  },
});
