import { type Html, html, join } from '../../../platform/http/server/html.ts';
import { linkTo, schemaAnchor } from '../pages/markup.ts';
import { refName, type Schema } from './api-document.ts';

export interface Unwrapped {
  readonly schema: Schema;
  readonly nullable: boolean;
}

/** Takes "or null" off a schema, in whichever way it was written. */
export function unwrapNull(schema: Schema): Unwrapped {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter((type: string) => type !== 'null');
    const type = types.length === 1 ? (types[0] as string) : types;
    return { schema: { ...schema, type }, nullable: true };
  }
  const { anyOf, ...rest } = schema;
  const options = anyOf?.filter((option) => option.type !== 'null');
  if (!anyOf || !options || options.length === anyOf.length) return { schema, nullable: false };
  const [only] = options;
  return {
    schema: options.length === 1 && only ? { ...rest, ...only } : { ...rest, anyOf: options },
    nullable: true,
  };
}

/** The options of a union; a schema that is none is its only option. */
export function optionsOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

/** The type and its limits; each option of a union on its own line, with the limits it has. */
export function describeValue(schema: Schema): Html {
  const { schema: inner, nullable } = unwrapNull(schema);
  const options = optionsOf(inner);
  const limits = options.map(describeLimits);
  if (options.length === 1 || limits.every((list) => list.length === 0)) {
    return line(describeType(schema), limits.flat());
  }
  const lines = options.map((option, index) => line(describeType(option), limits[index] ?? []));
  return html`${[...lines, ...(nullable ? [line(html`null`, [])] : [])].map((text, index) =>
    index === 0 ? text : html`<div><span class="type">or </span>${text}</div>`,
  )}`;
}

function line(type: Html, limits: readonly Html[]): Html {
  return html`<span class="type">${join([type, ...limits], ' · ')}</span>`;
}

/** In a few words: `string`, `array of Project`, `timestamp or null`. */
export function describeType(schema: Schema): Html {
  const { schema: inner, nullable } = unwrapNull(schema);
  const names = optionsOf(inner).map(describeOption);
  const distinct = [...new Map(names.map((name) => [name.text, name])).values()];
  return join(nullable ? [...distinct, 'null'] : distinct, ' or ');
}

function describeOption(schema: Schema): Html {
  if (schema.anyOf ?? schema.oneOf) return describeType(schema);
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref);
    return linkTo(schemaAnchor(name), name);
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.type === 'array') {
    return html`array of ${describeType(schema.items ?? {})}`;
  }
  if (schema.patternProperties) {
    const [values] = Object.values(schema.patternProperties);
    return html`map of names to ${describeType(values ?? {})}`;
  }
  if (schema.format === 'date-time') return html`timestamp`;
  if (schema.format?.endsWith('email')) return html`e-mail address`;
  if (schema.allOf || schema.properties) return html`object`;
  if (schema.type === undefined) return html`any value`;
  return join([schema.type].flat(), ' or ');
}

/** What a value must keep to, beyond its type. */
function describeLimits(schema: Schema): Html[] {
  const { schema: inner } = unwrapNull(schema);
  const options = optionsOf(inner);
  if (options.length > 1) return options.flatMap(describeLimits);
  const [only = inner] = options;
  return [
    words(only),
    range(only.minLength, only.maxLength, 'character'),
    range(only.minimum, only.maximum, ''),
    range(only.minItems, only.maxItems, 'item'),
    only.uniqueItems ? html`no item twice` : null,
    range(undefined, only.maxProperties, 'name'),
    ...patterns(only),
    only.default === undefined ? null : html`default <code>${JSON.stringify(only.default)}</code>`,
    ...(only.items && only.items.$ref === undefined ? describeLimits(only.items) : []),
  ].filter((limit) => limit !== null);
}

function words({ enum: values }: Schema): Html | null {
  if (!values) return null;
  return html`one of ${join(
    values.map((value) => html`<code>${String(value)}</code>`),
    ' ',
  )}`;
}

const digits = new Intl.NumberFormat('en-US');

function range(low: number | undefined, high: number | undefined, unit: string): Html | null {
  const count = high ?? low;
  if (count === undefined) return null;
  const name = unit === '' ? '' : ` ${unit}${count === 1 ? '' : 's'}`;
  const [least, most] = [low, high].map((limit) =>
    limit === undefined ? undefined : digits.format(limit),
  );
  if (least === undefined) return html`at most ${most ?? ''}${name}`;
  if (most === undefined) return html`at least ${least}${name}`;
  return least === most ? html`exactly ${least}${name}` : html`${least} to ${most}${name}`;
}

const ANY_NAME = '^.*$';

function patterns(schema: Schema): Html[] {
  const [names] = Object.keys(schema.patternProperties ?? {});
  const [values] = Object.values(schema.patternProperties ?? {});
  return [
    ...(schema.pattern === undefined
      ? []
      : [schema.pattern === '\\S' ? html`not blank` : html`like <code>${schema.pattern}</code>`]),
    ...(names === undefined || names === ANY_NAME ? [] : [html`names like <code>${names}</code>`]),
    ...(values ? describeLimits(values) : []),
  ];
}
