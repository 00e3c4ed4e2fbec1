import type { Value } from '../flag.ts';

/** The values on the command line, by flag name. */
export type Values = Readonly<Record<string, Value | undefined>>;

export const textOf = (values: Values, name: string): string | undefined =>
  values[name] === undefined ? undefined : String(values[name]);
