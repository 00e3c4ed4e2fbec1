import type { Operations } from './generated/api.ts';

/** An operation of the API, such as `GET /v1/rewards/{rewardId}`. */
export type Operation = keyof Operations;

type Parameters<O extends Operation> = Operations[O]['parameters'];
type Given<T> = [T] extends [undefined] ? undefined : Exclude<T, undefined>;

/** The client knows its Project; another can be named. */
type WithoutProject<T> = T extends { projectId?: unknown }
  ? Omit<T, 'projectId'> & { readonly projectId?: string }
  : T;

type JsonBody<T> = T extends { content: { 'application/json': infer B } } ? B : undefined;

/** What an operation takes in its path. */
export type PathOf<O extends Operation> = WithoutProject<Given<Parameters<O>['path']>>;
/** What an operation takes in its query: filters, mostly. */
export type QueryOf<O extends Operation> = WithoutProject<Given<Parameters<O>['query']>>;
/** What an operation takes as its body. */
export type BodyOf<O extends Operation> = Operations[O] extends { requestBody?: infer T }
  ? WithoutProject<JsonBody<Exclude<T, undefined>>>
  : undefined;

/** What an operation answers: its JSON, or the text of a CSV file. */
export type AnswerOf<O extends Operation> = Operations[O] extends {
  responses: { 200: { content: infer T } };
}
  ? T extends { 'application/json': infer A }
    ? A
    : string
  : never;

type Rows<A> = A extends { data: readonly (infer R)[] } ? R : never;

/** An operation that lists something, all at once or page by page. */
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
  /** Ends the call, and what it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** How often a call that failed for a while is repeated, instead of what the client was told. */
  readonly retries?: number | undefined;
  /** How long the call may take, all repeats included. */
  readonly timeoutMs?: number | undefined;
  /** How long each try may take: longer for a large export or import, say. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Instead of one that the client makes up, where the operation takes one. */
  readonly idempotencyKey?: string | undefined;
  /** Sent as well; they count more than the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** All that a call of an operation can be given. */
export type CallOf<O extends Operation> = Part<'path', PathOf<O>> &
  Part<'query', QueryOf<O>> &
  Part<'body', BodyOf<O>> &
  CallOptions;

/** The argument may be left out where nothing in it is required. */
export type CallArguments<O extends Operation> =
  Partial<CallOf<O>> extends CallOf<O> ? [call?: CallOf<O>] : [call: CallOf<O>];
