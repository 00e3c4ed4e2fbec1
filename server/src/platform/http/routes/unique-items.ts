import type { TSchema } from 'typebox';
import type { Issue } from '../../kit/errors.ts';

type Json = Readonly<Record<string, unknown>>;

/** Location of an array without duplicates: names of fields, and null for every item of an array. */
type Place = readonly (string | null)[];

const NO_REPEATS = 'must not have the same item twice';
/** Keywords whose schemas apply to the same value. */
const BRANCHES = ['anyOf', 'oneOf', 'allOf'];

/**
 * A schema without `uniqueItems`, and a check to replace it: the library's own takes quadratic time
 * to report what is wrong. Only for arrays of scalars.
 */
export function splitUniqueItems(schema: TSchema): {
  readonly rest: TSchema;
  readonly findRepeats: (value: unknown) => readonly Issue[];
} {
  const places = listPlaces(schema as Json, []);
  if (places.length === 0) return { rest: schema, findRepeats: () => [] };
  return {
    rest: strip(schema) as TSchema,
    findRepeats: (value) =>
      places
        .flatMap((place) => repeatsAt(value, place, ''))
        .map((path) => ({ path, issue: NO_REPEATS })),
  };
}

function listPlaces(schema: Json, at: Place): Place[] {
  const own = schema.uniqueItems === true ? [at] : [];
  const itemType = (schema.items as Json | undefined)?.type;
  if (own.length > 0 && itemType !== 'string' && itemType !== 'integer') {
    throw new Error(`uniqueItems is for texts and whole numbers, not for ${String(itemType)}.`);
  }
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return [
    ...own,
    ...properties.flatMap(([name, member]) => listPlaces(member, [...at, name])),
    ...(schema.items ? listPlaces(schema.items as Json, [...at, null]) : []),
    ...BRANCHES.flatMap((keyword) => (schema[keyword] ?? []) as Json[]).flatMap((branch) =>
      listPlaces(branch, at),
    ),
  ];
}

function strip(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strip);
  if (schema === null || typeof schema !== 'object') return schema;
  const entries = Object.entries(schema).filter(
    ([name, value]) => name !== 'uniqueItems' || value !== true,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, strip(value)]));
}

/** The paths of the arrays at that location that have duplicates. */
function repeatsAt(value: unknown, [step, ...rest]: Place, path: string): string[] {
  if (step === undefined) {
    return Array.isArray(value) && new Set(value).size < value.length ? [path] : [];
  }
  if (value === null || typeof value !== 'object') return [];
  if (step === null) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => repeatsAt(item, rest, joinPath(path, String(index))));
  }
  return repeatsAt((value as Json)[step], rest, joinPath(path, step));
}

/** A dotted path. */
export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
