import type { Schema } from '../api/api-document.ts';
import { optionsOf, unwrapNull } from '../api/describe-schema.ts';
import { code } from './text-table.ts';

/** A field by its whole name, such as `rewards[].rewardId`, with its type and meaning. */
export interface FieldLine {
  readonly name: string;
  readonly type: string;
  readonly about: string;
}

/** The fields of an object, those of the objects in it below them. */
export function listFieldLines(schema: Schema, parents = ''): FieldLine[] {
  const { schema: inner } = unwrapNull(schema);
  if (inner.items) return listFieldLines(inner.items, `${parents}[]`);
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const whole = parents === '' ? name : `${parents}.${name}`;
    const about = field.description ?? unwrapNull(field).schema.description ?? '';
    return [{ name: whole, type: describe(field), about }, ...listFieldLines(field, whole)];
  });
}

function describe(schema: Schema): string {
  const { schema: inner, nullable } = unwrapNull(schema);
  const [only = inner] = optionsOf(inner);
  return describePlain(only) + (nullable ? ' or null' : '');
}

function describePlain(schema: Schema): string {
  if (schema.enum) return schema.enum.map((word) => code(String(word))).join(', ');
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.type === 'array') return `array of ${describe(schema.items ?? {})}s`;
  if (schema.patternProperties) return 'map';
  return schema.type === undefined ? 'any value' : [schema.type].flat().join(' or ');
}
