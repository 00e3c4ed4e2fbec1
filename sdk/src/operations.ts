import type { Operations } from './generated/api.ts';

/** An operation of the API, such as `GET /v1/rewards/{rewardId}`. */
export type Operation = keyof Operations;

type Parameters<O extends Operation> = Operations[O]['parameters'];
type Given<T> = [T] extends [undefined] ? undefined : Exclude<T, undefined>;

/** The client has a default project; a call can name another. */
type WithoutProject<T> = T extends { projectId?: unknown }
  ? Omit<T, 'projectId'> & { readonly projectId?: string }
  : T;

type JsonBody<T> = T extends { content: { 'application/json': infer B } } ? B : undefined;

/** The path parameters of an operation. */
export type PathOf<O extends Operation> = WithoutProject<Given<Parameters<O>['path']>>;
/** The query parameters of an operation: mostly filters. */
export type QueryOf<O extends Operation> = WithoutProject<Given<Parameters<O>['query']>>;
/** The request body of an operation. */
export type BodyOf<O extends Operation> = Operations[O] extends { requestBody?: infer T }
  ? WithoutProject<JsonBody<Exclude<T, undefined>>>
  : undefined;

/** The response of an operation: its JSON, or the text of a CSV file. */
export type AnswerOf<O extends Operation> = Operations[O] extends {
  responses: { 200: { content: infer T } } | { 202: { content: infer T } };
}
  ? T extends { 'application/json': infer A }
    ? A
    : string
  : never;

type Rows<A> = A extends { data: readonly (infer R)[] } ? R : never;

/** An operation that lists something, at once or page by page. */
export type ListOperation = {
  [O in Operation]: O extends `GET ${string}`
    ? [Rows<AnswerOf<O>>] extends [never]
      ? never
      : O
    : never;
}[Operation];

/** One row of a list. */
export type RowOf<O extends ListOperation> = Rows<AnswerOf<O>>;

type Part<N extends string, T> = [T] extends [undefined]
  ? unknown
  : Partial<T> extends T
    ? { readonly [K in N]?: T }
    : { readonly [K in N]: T };

export interface CallOptions {
  /** Aborts the call and its waits. */
  readonly signal?: AbortSignal | undefined;
  /** Number of retries after a temporary failure, instead of the client's setting. */
  readonly retries?: number | undefined;
  /** Maximum duration of the call, including all retries. */
  readonly timeoutMs?: number | undefined;
  /** Maximum duration of each attempt: longer for a large export or import, for example. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Replaces the key that the client generates, if the operation accepts one. */
  readonly idempotencyKey?: string | undefined;
  /** Additional headers; they override the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Everything that can be passed to a call of an operation. */
export type CallOf<O extends Operation> = Part<'path', PathOf<O>> &
  Part<'query', QueryOf<O>> &
  Part<'body', BodyOf<O>> &
  CallOptions;

/** The argument is optional if nothing in it is required. */
export type CallArguments<O extends Operation> =
  Partial<CallOf<O>> extends CallOf<O> ? [call?: CallOf<O>] : [call: CallOf<O>];
