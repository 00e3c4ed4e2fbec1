import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const onPostgres = process.env.TEST_DATABASE === 'postgres';
const inBrowser = process.env.TEST_BROWSER === '1';
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    include: inBrowser
      ? ['test/browser/**/*.test.ts']
      : [
          'src/**/*.test.ts',
          '../widget/src/**/*.test.ts',
          '../console/src/**/*.test.ts',
          'test/journeys/**/*.test.ts',
          'test/checks/**/*.test.ts',
          ...(onPostgres
            ? ['test/postgres/**/*.test.ts']
            : [
                'test/embedded/**/*.test.ts',
                'test/sdk/**/*.test.ts',
                '../sdk/src/**/*.test.ts',
                '../sdk/test/**/*.test.ts',
              ]),
        ],
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    // By default one core is left alone. Chromium and the service that it talks to have use for it.
    ...(inBrowser ? {} : { maxWorkers: availableParallelism() }),
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
