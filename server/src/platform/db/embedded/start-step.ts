/** The current step of opening a store. `sync` to `replayed` occur only after a crash. */
export type StartStep = 'open' | 'sync' | 'recover' | 'replay' | 'replayed' | 'check';

/** Lines of the engine's own log during its start, in order. */
const LINES: readonly (readonly [RegExp, StartStep])[] = [
  [/database system was interrupted/, 'sync'],
  [/automatic recovery in progress/, 'recover'],
  [/redo starts at/, 'replay'],
  [/redo done at/, 'replayed'],
];

/** The step that a line of the engine's log begins, if any. */
export function stepOf(line: string): StartStep | undefined {
  return LINES.find(([pattern]) => pattern.test(line))?.[1];
}

/** Steps that occur only after a crash. */
export const RECOVERY_STEPS: ReadonlySet<StartStep> = new Set([
  'sync',
  'recover',
  'replay',
  'replayed',
]);

/** Names for the log. */
export const STEP_NAMES: Readonly<Record<StartStep, string>> = {
  open: 'opening the embedded database',
  sync: 'the database was not shut down cleanly: syncing its files to disk',
  recover: 'recovering the database',
  replay: 'replaying the write-ahead log',
  replayed: 'replayed the write-ahead log, writing a checkpoint',
  check: 'checking that commits reach the disk',
};
