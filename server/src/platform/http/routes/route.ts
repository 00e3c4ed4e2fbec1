import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import { AppError, type ConflictReason, type ErrorCode } from '../../kit/errors.ts';
import { IdText, ProjectIdText, ProjectKeyText, WidgetProjectIdText } from '../../kit/schema.ts';
import type { Permission } from '../access/permissions.ts';
import type {
  PageProject,
  Principal,
  ProjectRef,
  UserPrincipal,
  WidgetCaller,
  WidgetScope,
  WriteRequest,
} from '../access/principal.ts';

/** Default limit of a body. */
export const BODY_BYTES_MAX = 262_144;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How an operator route finds the Workspace of a call: a user must be a member of it, and
 * administer it or have the route's `permission` there. It is the Workspace of its Project, the one
 * that `workspaceId` names in the path, query or body, or the one of an object in the path. `own`
 * applies to all Workspaces of the caller: its handler uses no others. `new` creates one, which the
 * owner of another may do.
 */
export type About =
  | 'project'
  | 'path'
  | 'query'
  | 'body'
  | 'own'
  | 'new'
  | {
      /** The name in its 404. */
      readonly what: string;
      /** The id of the Workspace; undefined for an object that does not exist. */
      find(params: Readonly<Record<string, string>>): Promise<string | undefined>;
    };

/**
 * Who may call: a key with all these permissions (or the operator, or a user whose role has them in
 * the Project's Workspace), operators, a signed-in user, the participant of a Widget token with
 * this scope, a provider that signs its requests, or anyone.
 */
export type Access =
  | { readonly by: 'key'; readonly permissions: readonly Permission[] }
  | { readonly by: 'operator'; readonly about: About; readonly permission: Permission | null }
  | { readonly by: 'session' }
  | { readonly by: 'widget'; readonly scope: WidgetScope }
  | { readonly by: 'signature' }
  | { readonly by: 'public'; readonly perMinute: number };

/** A refusal of a route in addition to those of every route of its access. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly reason?: ConflictReason | (string & {});
  readonly when: string;
}

interface Described {
  readonly method: Method;
  /** With `{name}` for parameters, in OpenAPI's syntax. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly refusals?: readonly Refusal[];
  /** Paths in the body whose text visitors control: it may be any text, and is never stored unchanged. */
  readonly anyText?: readonly string[];
  /** A body to send and the expected response, shown in the reference. */
  readonly example: { readonly body?: unknown; readonly answer: unknown };
}

export interface Call {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly principal: Principal | undefined;
  /** The caller's Workspaces; null for all. */
  readonly workspaceIds: readonly string[] | null;
  readonly project: ProjectRef | undefined;
  /** Only for a Widget route. */
  readonly caller: WidgetCaller | undefined;
  readonly request: WriteRequest;
  /** The last event that a reconnecting reader has seen. */
  readonly lastEventId: string | null;
  /** Only for a hook. */
  readonly signed: SignedBody | undefined;
  readonly browser: Browser;
}

/** What a browser declares about itself. */
export interface Browser {
  readonly id: string;
  readonly ip: string;
  readonly headers: {
    readonly cookie?: string | undefined;
    readonly origin?: string | undefined;
    readonly 'user-agent'?: string | undefined;
    readonly host?: string | undefined;
    readonly 'x-forwarded-for'?: string | string[] | undefined;
    readonly forwarded?: string | undefined;
  };
}

/** A body as received, byte by byte, and the header with its signature. */
export interface SignedBody {
  readonly bytes: Buffer;
  /** Empty if there was none. */
  readonly signature: string;
  /** Another header that is signed, or belongs to the signature; empty if there was none. */
  header(name: string): string;
}

/** A route as registered by the app and described in the reference. */
export interface Route extends Described {
  readonly access: Access;
  readonly params: TObject | undefined;
  readonly query: TObject | undefined;
  readonly body: TObject | undefined;
  readonly answer: TSchema;
  /** Where the Project is named: `key` is its public key, in the body; undefined if the route has none. */
  readonly projectIn: 'query' | 'body' | 'key' | 'path' | undefined;
  /** Whether pages of the Project's allowed origins may call it and read the response. */
  readonly isForPages: boolean;
  /** False if no Idempotency-Key applies: for a route that shows a secret once, or writes nothing. */
  readonly keepsAnswer: boolean;
  /** Limit of a body, if it differs from the default. */
  readonly bodyBytesMax: number | undefined;
  /** The header with the signature of a hook, whose body is not parsed; null for other routes. */
  readonly signatureHeader: string | null;
  /** Whether it responds with server-sent events: `handle` then returns an `OpenStream`. */
  readonly isStream: boolean;
  /** Whether it responds with a table for spreadsheets: `handle` then returns a `CsvText` or `CsvPages`. */
  readonly isCsv: boolean;
  /** 202 if what was asked for is only queued. */
  readonly status: 200 | 202;
  handle(call: Call): Promise<unknown>;
}

/** A route's path in Fastify's syntax. */
export function toUrl(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Whether an `Idempotency-Key` makes a repeat return the first response. */
export function keepsAnswers(route: Route): boolean {
  const writes = route.method !== 'GET' && route.method !== 'DELETE';
  return writes && route.access.by === 'key' && route.keepsAnswer;
}

type Parsed<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined;

interface Shapes<Q extends TObject | undefined, B extends TObject | undefined, R extends TSchema>
  extends Described {
  readonly query?: Q;
  readonly body?: B;
  readonly answer: R;
  readonly keepsAnswer?: boolean;
  readonly bodyBytesMax?: number;
  readonly isCsv?: boolean;
  readonly status?: 202;
}

type AnyShapes = Shapes<TObject | undefined, TObject | undefined, TSchema>;

interface TypedCall<Q extends TObject | undefined, B extends TObject | undefined> {
  /** Path parameters by name; each is 1 to 512 characters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  readonly request: WriteRequest;
}

interface ProjectCall<Q extends TObject | undefined, B extends TObject | undefined>
  extends TypedCall<Q, B> {
  readonly principal: Principal;
  readonly project: ProjectRef;
}

/**
 * A route about one Project, for a key with the permissions or the operator. `projectId` is added
 * to the body of POST, PUT and PATCH and to the query of GET and DELETE; if the path has it, it may
 * be omitted there, and must be the same if not.
 */
export function projectRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly permissions: readonly Permission[];
    handle(call: ProjectCall<Q, B>): Promise<Static<R> | JsonText | CsvText | CsvPages>;
  },
): Route {
  const access = { by: 'key', permissions: spec.permissions } as const;
  return erase(spec, { access, ...placeProject(spec, ProjectIdText) });
}

/** A route about one Project for operators only; `projectId` is where `projectRoute` has it. */
export function projectOperatorRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & { handle(call: ProjectCall<Q, B>): Promise<Static<R> | CsvPages> },
): Route {
  const access = { by: 'operator', about: 'project', permission: null } as const;
  return erase(spec, { access, ...placeProject(spec, ProjectIdText) });
}

function placeProject(
  spec: Pick<AnyShapes, 'method' | 'path' | 'query' | 'body'>,
  projectId: TSchema,
): Pick<Route, 'query' | 'body' | 'projectIn'> {
  const inBody = spec.method !== 'GET' && spec.method !== 'DELETE';
  const inPath = spec.path.includes('{projectId}');
  const field = inPath ? Type.Optional(projectId) : projectId;
  const withProject = (schema: TObject | undefined) => withField('projectId', field, schema);
  return {
    query: inBody ? spec.query : withProject(spec.query),
    body: inBody ? withProject(spec.body) : spec.body,
    projectIn: inPath ? 'path' : inBody ? 'body' : 'query',
  };
}

/**
 * Receives a provider's webhooks for a Project. Its handler checks the signature over the received
 * bytes, and refuses with `badSignature`.
 */
export function hookRoute<R extends TSchema>(
  spec: Hook<R, { readonly project: ProjectRef; readonly request: WriteRequest }> & {
    readonly bodyBytesMax: number;
  },
): Route {
  const { signatureHeader } = spec;
  const access = { by: 'signature' } as const;
  return erase({ ...spec, method: 'POST' }, { access, projectIn: 'path', signatureHeader });
}

interface Hook<R extends TSchema, C> extends Omit<Described, 'method'> {
  readonly answer: R;
  readonly signatureHeader: string;
  handle(
    call: C & {
      readonly params: Readonly<Record<string, string>>;
      readonly signed: SignedBody;
    },
  ): Promise<Static<R>>;
}

/** The same for a Workspace: its path names one, and no Project. */
export function workspaceHookRoute<R extends TSchema>(spec: Hook<R, unknown>): Route {
  const { signatureHeader } = spec;
  return erase({ ...spec, method: 'POST' }, { access: { by: 'signature' }, signatureHeader });
}

export const BAD_SIGNATURE = 'invalid_signature';

/** The refusal of a hook; an address that keeps causing it is slowed down. */
export function badSignature(message: string): AppError {
  return new AppError('INVALID_REQUEST', message, { reason: BAD_SIGNATURE });
}

interface OperatorCall<Q extends TObject | undefined, B extends TObject | undefined>
  extends TypedCall<Q, B> {
  readonly principal: Principal;
  /** The caller's Workspaces; null for all. */
  readonly workspaceIds: readonly string[] | null;
}

/** A route for operators only; with `{projectId}` in its path it is about that Project. */
export function operatorRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly about: About;
    /** The permission that a user's role needs instead of administering the Workspace. */
    readonly permission?: Permission;
    handle(call: OperatorCall<Q, B>): Promise<Static<R> | CsvPages | WithCookies<Static<R>>>;
  },
): Route {
  assertNamesWorkspace(spec);
  return erase(spec, {
    access: { by: 'operator', about: spec.about, permission: spec.permission ?? null },
    projectIn: spec.path.includes('{projectId}') ? 'path' : undefined,
  });
}

/** A call must have the field by which its route finds the Workspace. */
function assertNamesWorkspace(
  spec: Pick<AnyShapes, 'path' | 'query' | 'body'> & { readonly about: About },
): void {
  const { about, path, query, body } = spec;
  const isNamed =
    typeof about === 'object'
      ? path.includes('{')
      : {
          project: path.includes('{projectId}'),
          path: path.includes('{workspaceId}'),
          query: query?.properties.workspaceId !== undefined,
          body: body?.required?.includes('workspaceId') === true,
          own: true,
          new: true,
        }[about];
  if (!isNamed)
    throw new Error(
      `A call of ${path} does not name its Workspace in the way that its route declares.`,
    );
}

/** A route for any signed-in user, whatever their role, and even if they may do nothing else yet. */
export function sessionRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    handle(call: TypedCall<Q, B> & { readonly principal: UserPrincipal }): Promise<Static<R>>;
  },
): Route {
  return erase(spec, { access: { by: 'session' } });
}

/** A route for anyone, about no Project, limited per address. */
export function openRoute<R extends TSchema, B extends TObject | undefined = undefined>(
  spec: Shapes<undefined, B, R> & {
    readonly perMinute: number;
    handle(
      call: TypedCall<undefined, B> & {
        readonly principal: Principal | undefined;
        readonly browser: Browser;
      },
    ): Promise<Static<R> | WithCookies<Static<R>>>;
  },
): Route {
  return erase(spec, { access: { by: 'public', perMinute: spec.perMinute } });
}

/** A route for anyone, limited per address. */
export function publicRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly perMinute: number;
    handle(call: Omit<ProjectCall<Q, B>, 'principal'>): Promise<Static<R>>;
  },
): Route {
  return erase(spec, {
    access: { by: 'public', perMinute: spec.perMinute },
    body: withField('projectId', ProjectIdText, spec.body),
    projectIn: 'body',
  });
}

/**
 * A route for scripts on pages of a Project's allowed origins, limited per address. They know the
 * Project by its public key: `projectKey` is added to the body.
 */
export function pageRoute<R extends TSchema, B extends TObject>(
  spec: Shapes<undefined, B, R> & {
    readonly perMinute: number;
    handle(
      call: Omit<ProjectCall<undefined, B>, 'principal' | 'project'> & {
        readonly project: PageProject;
        readonly browser: Browser;
      },
    ): Promise<Static<R>>;
  },
): Route {
  return erase(spec, {
    access: { by: 'public', perMinute: spec.perMinute },
    body: withField('projectKey', ProjectKeyText, spec.body),
    projectIn: 'key',
    isForPages: true,
  });
}

interface WidgetCall<Q extends TObject | undefined, B extends TObject | undefined>
  extends TypedCall<Q, B> {
  readonly project: ProjectRef;
  readonly caller: WidgetCaller;
  readonly browser: Browser;
}

/**
 * A route for the Widget: for one participant, by the token that the Project's backend signed, on
 * pages of the Project's allowed origins, limited per participant. `projectId` is added where
 * `projectRoute` adds it, and must be the token's.
 */
export function widgetRoute<
  R extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  spec: Shapes<Q, B, R> & {
    readonly scope: WidgetScope;
    handle(call: WidgetCall<Q, B>): Promise<Static<R>>;
  },
): Route {
  return erase(spec, {
    access: { by: 'widget', scope: spec.scope },
    ...placeProject(spec, WidgetProjectIdText),
    isForPages: true,
  });
}

/** A message of a stream. None of its parts has a line break. */
export interface StreamMessage {
  /** Sent by the reader as `Last-Event-ID` to continue after it. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Messages, a few at a time and no faster than they are read, until `stopping` is aborted. */
export type OpenStream = (stopping: AbortSignal) => AsyncIterable<readonly StreamMessage[]>;

/**
 * A GET about one Project that does not end: it responds with server-sent events. An error thrown
 * by `handle` is a normal refusal; the stream it returns begins afterwards.
 */
export function streamRoute<Q extends TObject>(
  spec: Omit<Described, 'method'> & {
    readonly permissions: readonly Permission[];
    readonly query: Q;
    handle(
      call: ProjectCall<Q, undefined> & { readonly lastEventId: string | null },
    ): Promise<OpenStream>;
  },
): Route {
  const shapes = { ...spec, method: 'GET' as const, answer: Type.String() };
  return erase(shapes, {
    access: { by: 'key', permissions: spec.permissions },
    query: withField('projectId', ProjectIdText, spec.query),
    projectIn: 'query',
    isStream: true,
  });
}

/** The types were checked against each other above; the app handles all routes alike. */
function erase(
  spec: AnyShapes & { handle(call: never): Promise<unknown> },
  rest: Pick<Route, 'access'> & Partial<Route>,
): Route {
  const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return {
    ...spec,
    query: spec.query,
    body: spec.body,
    projectIn: undefined,
    params:
      names.length === 0
        ? undefined
        : Type.Object(Object.fromEntries(names.map((name) => [name, IdText()]))),
    isForPages: false,
    keepsAnswer: spec.keepsAnswer ?? true,
    bodyBytesMax: spec.bodyBytesMax,
    signatureHeader: null,
    isStream: false,
    isCsv: spec.isCsv ?? false,
    status: spec.status ?? 200,
    handle: spec.handle as unknown as Route['handle'],
    ...rest,
  };
}

function withField(name: string, field: TSchema, schema: TObject | undefined): TObject {
  return Type.Object({ [name]: field, ...schema?.properties }, { additionalProperties: false });
}

/** A response that its handler has written as JSON itself, for speed. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A response that is a file with a table. */
export class CsvText {
  readonly fileName: string;
  readonly text: string;

  constructor(fileName: string, text: string) {
    this.fileName = fileName;
    this.text = text;
  }
}

/** A response that signs a browser in or out. */
export class WithCookies<T> {
  readonly answer: T;
  readonly cookies: readonly string[];

  constructor(answer: T, cookies: readonly string[]) {
    this.answer = answer;
    this.cookies = cookies;
  }
}

/** The same in any length: sent piece by piece, no faster than it is read. */
export class CsvPages {
  readonly fileName: string;
  readonly pages: AsyncIterable<string>;

  constructor(fileName: string, pages: AsyncIterable<string>) {
    this.fileName = fileName;
    this.pages = pages;
  }
}

/** `{success: true, data}`: the response of most routes. */
export const Success = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data });

export function success<T>(data: T): { success: true; data: T } {
  return { success: true, data };
}
