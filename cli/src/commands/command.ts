import type { Context } from '../context.ts';
import type { Flag } from '../flag.ts';
import type { Values } from '../output/values.ts';

export interface Command {
  /** Its name, such as `keys` and `create`; one or two words. */
  readonly words: readonly string[];
  /** Other names. */
  readonly also: readonly (readonly string[])[];
  /** A sentence without its final period. */
  readonly summary: string;
  /** More details, for its own help. */
  readonly description: string;
  /** The line after the command's own words. */
  readonly example: string;
  readonly flags: readonly Flag[];
  /** The flags whose values can be given as positional arguments, in this order. */
  readonly args: readonly string[];
  /** Needs confirmation, always or for some of its values. */
  readonly isGrave: boolean;
  /** The kind of its output, for `--json`. */
  readonly answers: 'record' | 'list' | 'csv' | 'lines' | 'script';
  /** The exit code of an invalid command line, if 2 means something else. */
  readonly exitOfMistake?: number;
  /** Returns the exit code; 0 if undefined. */
  run(context: Context, values: Values): Promise<number | undefined>;
}
