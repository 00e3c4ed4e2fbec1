import { defineConfig } from 'vitest/config';
import stryker from '../../stryker.config.json' with { type: 'json' };
import { unit } from '../../vitest.config.ts';

/** The tests beside the mutated files, isolated: to change a constant, its module is loaded again. */
export default defineConfig({
  test: {
    ...unit.test,
    include: stryker.mutate
      .filter((pattern) => !pattern.startsWith('!'))
      .map((pattern) => pattern.replace(/\.ts$/, '.test.ts')),
    globalSetup: [],
    isolate: true,
    // Stryker runs tests in threads, which take no options of V8.
    execArgv: [],
  },
});
