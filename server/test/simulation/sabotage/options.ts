import { parseArgs } from 'node:util';

/** What ../README.md describes. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      defect: { type: 'string', multiple: true, default: [] },
      worlds: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      operations: { type: 'string', default: '80' },
      jobs: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      shrink: { type: 'string', default: '60' },
    },
  });
  return {
    /** Parts of names; none for all defects. */
    names: values.defect,
    worlds: Number(values.worlds),
    seed: Number(values.seed),
    operations: Number(values.operations),
    jobs: Number(values.jobs),
    /** Whether the world that finds a defect is kept, after so many tries to make it smaller. */
    keeps: values.keep,
    shrinkTries: Number(values.shrink),
  };
}
