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
    ...limits,
  },
};

/** Tests that run the built programs, each file in a process of its own. */
const processes = (name: string, include: string[]) => ({
  test: {
    name,
    include,
    globalSetup: ['test/build.ts', 'test/global-setup.ts'],
    ...limits,
  },
});

/** CONTRIBUTING.md says which test belongs where. */
export default defineConfig({
  test: {
    // By default one core is left alone.
    maxWorkers: availableParallelism(),
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      unit,
      {
        test: {
          name: 'journeys',
          include: [
            'test/{journeys,sdk}/**/*.test.ts',
            '{src,test/checks}/**/*.live.test.ts',
            '../sdk/src/**/*.test.ts',
          ],
          globalSetup: ['test/build.ts', 'test/global-setup.ts'],
          isolate: false,
          ...limits,
        },
      },
      processes('process', ['test/embedded/**/*.test.ts', '../sdk/test/**/*.test.ts']),
      processes('postgres', ['test/{orders,postgres}/**/*.test.ts']),
      processes('browser', ['test/browser/**/*.test.ts']),
      processes('nightly', ['test/nightly/**/*.test.ts']),
    ],
  },
});
