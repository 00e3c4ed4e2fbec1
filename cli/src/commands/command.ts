import type { Context } from '../context.ts';
import type { Flag } from '../flag.ts';
import type { Values } from '../output/values.ts';

export interface Command {
  /** How it is called, such as `keys` and `create`; one or two words. */
  readonly words: readonly string[];
  /** Other ways to call it. */
  readonly also: readonly (readonly string[])[];
  /** A sentence without its stop. */
  readonly summary: string;
  /** More about it, for its own help. */
  readonly description: string;
  /** The line after the command's own words. */
  readonly example: string;
  readonly flags: readonly Flag[];
  /** The flags whose values may stand without their names, in this order. */
  readonly args: readonly string[];
  /** Asked about once more before it is done, always or for some of its values. */
  readonly isGrave: boolean;
  /** What it answers with, for `--json`. */
  readonly answers: 'record' | 'list' | 'csv' | 'lines' | 'script';
  /** The exit code; 0 if none. */
  run(context: Context, values: Values): Promise<number | undefined>;
}
