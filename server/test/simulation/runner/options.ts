import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** What README.md describes. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      worlds: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      operations: { type: 'string' },
      kept: { type: 'boolean', default: false },
      seconds: { type: 'string', default: 'Infinity' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      twice: { type: 'string', default: '0' },
      trace: { type: 'string' },
      world: { type: 'string', multiple: true, default: [] },
      shrink: { type: 'string', default: '150' },
    },
  });
  return {
    worlds: Number(values.worlds),
    seed: Number(values.seed),
    /** Of each world; undefined: its seed decides. */
    operations: values.operations === undefined ? undefined : Number(values.operations),
    /** Whether the kept worlds come first. */
    playsKept: values.kept,
    seconds: Number(values.seconds),
    jobs: Number(values.jobs),
    /** Every so many worlds, one is played twice; 0: none. */
    twiceEvery: Number(values.twice),
    trace: values.trace,
    /** Files of worlds, instead of seeds. */
    files: values.world,
    shrinkTries: Number(values.shrink),
  };
}
