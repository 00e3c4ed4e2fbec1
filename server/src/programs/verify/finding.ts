import { canonicalJson } from '../../platform/kit/canonical-json.ts';

/** A stored value that differs from the expected one. Values are text, for people to read. */
export interface Difference {
  /** The kind of object, such as `reward`, and its id. */
  readonly subject: string;
  readonly id: string;
  readonly field: string;
  readonly stored: string;
  readonly expected: string;
}

export interface Finding extends Difference {
  readonly projectId: string;
}

export function difference(
  subject: string,
  id: string,
  field: string,
  { stored, expected }: { readonly stored: unknown; readonly expected: unknown },
): Difference {
  return { subject, id, field, stored: show(stored), expected: show(expected) };
}

/** A difference for each field of `expected` with another stored value. */
export function differencesOf<E extends object>(
  subject: string,
  id: string,
  stored: Readonly<Record<keyof E, unknown>>,
  expected: E,
): Difference[] {
  return (Object.keys(expected) as (keyof E & string)[]).flatMap((field) =>
    show(stored[field]) === show(expected[field])
      ? []
      : [difference(subject, id, field, { stored: stored[field], expected: expected[field] })],
  );
}

function show(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}
