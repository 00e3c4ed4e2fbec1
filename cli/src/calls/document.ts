import { OPENAPI_TEXT } from './openapi-text.ts';

/** The parts of a JSON schema that the command line uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly description?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** An operation of the API in openapi.json. */
export interface Operation {
  readonly summary: string;
  readonly description?: string;
  /** Who may call: names of security schemes, `provider` or `anyone`. */
  readonly 'x-callers': readonly string[];
  readonly 'x-permissions': readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>> }>
  >;
}

export interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** By type of the feed's events. */
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let document: Document | undefined;

/** The description of the API that this version was built with. */
export function readDocument(): Document {
  document ??= JSON.parse(OPENAPI_TEXT) as Document;
  return document;
}

/** Follows references, and removes null from the type. */
export function resolveSchema(
  document: Document,
  schema: Schema,
): { readonly schema: Schema; readonly isNullable: boolean } {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (!target) throw new Error(`openapi.json has no ${schema.$ref}.`);
    return resolveSchema(document, target);
  }
  const rest = schema.anyOf?.filter((one) => one.type !== 'null');
  const [only] = rest ?? [];
  if (schema.anyOf && only && rest?.length === 1) {
    const inner = resolveSchema(document, only);
    const description = inner.schema.description ?? schema.description;
    return {
      schema: description === undefined ? inner.schema : { ...inner.schema, description },
      isNullable: rest.length < schema.anyOf.length,
    };
  }
  return { schema, isNullable: false };
}

/** The content of what an operation answers if it is not refused. */
export function contentOf({ responses }: Pick<Operation, 'responses'>) {
  return (responses['200'] ?? responses['202'])?.content ?? {};
}
