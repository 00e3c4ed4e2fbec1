import type { TObject, TSchema } from 'typebox';
import type { ConflictReason, ErrorCode } from '../../kit/errors.ts';
import type { Permission } from '../access/permissions.ts';
import type {
  Principal,
  ProjectRef,
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

export interface Described {
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
