import type { Value } from '../flag.ts';

/** What was given on the line, by the names of the flags. */
export type Values = Readonly<Record<string, Value | undefined>>;

export const textOf = (values: Values, name: string): string | undefined =>
  values[name] === undefined ? undefined : String(values[name]);
