import type { OperatorClient } from './client.ts';

/** An option that takes a value. `needed` says whether it must, may, or may repeatedly be given. */
export interface Option {
  readonly needed: 'always' | 'sometimes' | 'repeatable';
  /** What stands for the value in the help. */
  readonly value: string;
  readonly about: string;
  readonly fallback?: string;
  /** What is wrong with a value, as the end of a sentence that begins with the option's name. */
  readonly check?: (value: string) => string | undefined;
}

type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O['needed'] extends 'repeatable'
  ? readonly string[]
  : O['needed'] extends 'always'
    ? string
    : O extends { readonly fallback: string }
      ? string
      : string | undefined;

type Values<O extends Options> = { readonly [Name in keyof O]: ValueOf<O[Name]> };

/** The values of any command, once its options are out of sight. */
export type AnyValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a command ends with, for programs and for people. */
export interface Output {
  readonly json: unknown;
  readonly text: string;
}

export interface Command {
  /** How it is called, such as `key` and `create`; one or two words. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: Options;
  run(client: OperatorClient, values: AnyValues): Promise<Output>;
}

/** Checks `run` against the options beside it; from then on all commands are handled alike. */
export function defineCommand<const O extends Options>(spec: {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: O;
  run(client: OperatorClient, values: Values<O>): Promise<Output>;
}): Command {
  return { ...spec, run: spec.run as unknown as Command['run'] };
}
