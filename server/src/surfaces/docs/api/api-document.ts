/** The part of JSON Schema that the API's description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly example?: unknown };
}

/** Of an answer; a stream is text, and no JSON. */
interface AnswerContent extends Partial<Content> {
  readonly 'text/event-stream'?: { readonly schema: Schema; readonly example: string };
}

/** One way in which an operation refuses. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly reason: string | null;
  readonly when: string;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Who may call: names of security schemes, `provider` or `anyone`. */
  readonly 'x-callers': readonly string[];
  readonly 'x-permissions': readonly string[];
  /** Of users who may call, in the Workspace that the call is about. */
  readonly 'x-roles': readonly string[];
  readonly 'x-refusals': readonly Refusal[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: AnswerContent }>
  >;
}

/** What the service sends to a caller's own server. */
export interface Webhook {
  readonly post: {
    readonly operationId: string;
    readonly summary: string;
    readonly parameters: readonly Parameter[];
    readonly requestBody: { readonly content: Content };
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  };
}

export type SecurityScheme =
  | {
      readonly type: 'apiKey';
      readonly in: 'header';
      readonly name: string;
      readonly description?: string;
    }
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly description?: string };

/** An OpenAPI 3.1 document, as far as the reference reads it. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  /** By the type of the event. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

export interface Operation extends DescribedOperation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly tag: string;
}

export function listOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      tag: operation.tags?.[0] ?? 'Other',
    })),
  );
}

const REF = '#/components/schemas/';

export function refName(ref: string): string {
  return ref.startsWith(REF) ? ref.slice(REF.length) : ref;
}

/** The components that a caller may have to send, by name: those in requests, and those in them. */
export function listRequestSchemas(
  { components }: ApiDocument,
  operations: readonly Operation[],
): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { $ref } = value as Schema;
    if (typeof $ref === 'string' && !names.has(refName($ref))) {
      names.add(refName($ref));
      visit(components.schemas[refName($ref)]);
    }
    Object.values(value).forEach(visit);
  };
  for (const { requestBody, parameters = [] } of operations) {
    visit(requestBody?.content['application/json'].schema);
    visit(parameters.map(({ schema }) => schema));
  }
  return names;
}

/** What an operation responds if it is not refused. */
export function doneOf({ responses }: Pick<Operation, 'responses'>) {
  return responses['200'] ?? responses['202'];
}
