import type { Flag } from '../flag.ts';
import { flagName, isSecretField, pathFlagName, singularOf } from '../flag-names.ts';
import { type Document, type Parameter, resolveSchema, type Schema } from './document.ts';

/** The flag of a parameter in the path, query or headers. */
export function parameterFlag(document: Document, parameter: Parameter): Flag {
  const { name, required, description, schema } = parameter;
  const leaf = readLeaf(document, schema);
  return {
    ...leaf,
    name: parameter.in === 'path' ? pathFlagName(name) : flagName([name]),
    also: [],
    place: parameter.in,
    path: [name],
    value: name.endsWith('Id') || name === 'id' ? '<id>' : leaf.value,
    isRequired: required,
    isNullable: false,
    isSecret: false,
    about: tidy(description ?? leaf.about),
  };
}

/** The flags of a body: one for each field; nested fields have a dot. */
export function bodyFlags(document: Document, schema: Schema): Flag[] {
  return fieldFlags(document, schema, [], true);
}

function fieldFlags(
  document: Document,
  schema: Schema,
  before: readonly string[],
  isNeeded: boolean,
): Flag[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    // A field without a type is ignored by the service.
    if (Object.keys(property).every((key) => key === 'description')) return [];
    const path = [...before, name];
    const isRequired = isNeeded && (schema.required ?? []).includes(name);
    const { schema: inner, isNullable } = resolveSchema(document, property);
    if (inner.properties && !isParticipant(inner)) {
      return fieldFlags(document, inner, path, isRequired);
    }
    const leaf = readLeaf(document, inner);
    const flag = flagName(path);
    return [
      {
        ...leaf,
        name: flag,
        also: leaf.isList ? singularOf(flag) : [],
        place: 'body' as const,
        path,
        isRequired,
        isNullable,
        isSecret: isSecretField(name),
        value: name.endsWith('Id') ? '<id>' : leaf.value,
      },
    ];
  });
}

type Leaf = Pick<Flag, 'type' | 'isList' | 'words' | 'presets' | 'min' | 'max' | 'about' | 'value'>;

function readLeaf(document: Document, given: Schema): Leaf {
  const { schema } = resolveSchema(document, given);
  const about = tidy(schema.description ?? '');
  if (schema.type === 'array') {
    const item = readLeaf(document, schema.items ?? {});
    // A list of objects is given as JSON, as a whole or one by one.
    return { ...item, isList: true, about, value: item.type === 'json' ? '<json>' : item.value };
  }
  const list = schema.anyOf?.find((one) => one.type === 'array');
  if (list) {
    const presets = schema.anyOf?.flatMap((one) => one.enum ?? []) as string[];
    return { ...readLeaf(document, list), presets };
  }
  const words = schema.enum ?? (schema.const === undefined ? null : [schema.const]);
  return {
    type: typeOf(schema),
    isList: false,
    words: words === null ? null : words.map(String),
    presets: [],
    min: schema.minimum ?? null,
    max: schema.maximum ?? null,
    about,
    value: placeholderOf(schema),
  };
}

const isParticipant = ({ properties }: Schema): boolean =>
  Object.keys(properties ?? {}).join() === 'kind,externalId';

function typeOf(schema: Schema): Flag['type'] {
  if (isParticipant(schema)) return 'participant';
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
      return 'integer';
    case 'boolean':
      return 'boolean';
    default:
      return 'json';
  }
}

const VALUES = {
  text: '<text>',
  integer: '<number>',
  boolean: '<true|false>',
  json: '<json>',
  participant: '<id|group:id>',
};

function placeholderOf(schema: Schema): string {
  if (schema.format === 'date-time') return '<time>';
  if (schema.enum) return `<${schema.enum.length > 4 ? 'word' : schema.enum.join('|')}>`;
  const type = typeOf(schema);
  return VALUES[type];
}

/** A description as part of a help line: without markup and final period. */
function tidy(text: string): string {
  return text.replaceAll('`', '').replace(/\.$/, '');
}
