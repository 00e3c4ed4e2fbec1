import type { Permission } from './permissions.ts';

export type Environment = 'sandbox' | 'live';

/** A Workspace's API key: may act on the Projects of its environment in its Workspace. */
export interface KeyPrincipal {
  readonly type: 'key';
  readonly keyId: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[];
}

/** Whoever holds the admin token: may do everything. */
export interface OperatorPrincipal {
  readonly type: 'operator';
}

export type Principal = KeyPrincipal | OperatorPrincipal;

/** What every call needs to know of its Project: nothing of it ever changes. */
export interface ProjectRef {
  readonly id: string;
  readonly workspaceId: string;
  readonly projectKey: string;
  readonly environment: Environment;
}

/** What calls from pages need to know besides. */
export interface PageProject extends ProjectRef {
  /** The origins whose pages may call what is open to pages. */
  readonly allowedOrigins: readonly string[];
}

/** What a Widget token lets its bearer do. */
export const WIDGET_SCOPES = ['widget:read', 'widget:payout'] as const;
export type WidgetScope = (typeof WIDGET_SCOPES)[number];

/** The one participant that a Widget token speaks for. Nobody by that name need be there yet. */
export interface WidgetCaller {
  readonly project: PageProject;
  readonly participant: { readonly kind: 'individual' | 'group'; readonly externalId: string };
  readonly scopes: readonly WidgetScope[];
}

export type TokenVerdict =
  | { readonly caller: WidgetCaller }
  | {
      /** Why the token is not taken, as the end of a sentence about it. */
      readonly fault: string;
      /** The Project that it names, if there is such a one: its pages may read the refusal. */
      readonly project: PageProject | null;
    };

/** How the HTTP layer asks for whom a Widget token speaks; `widget/` answers. */
export type CheckWidgetToken = (token: string) => Promise<TokenVerdict>;

/** How the HTTP layer asks who is calling; `workspaces/` answers. */
export interface Identities {
  findKey(apiKey: string): Promise<KeyPrincipal | undefined>;
  isAdminToken(token: string): boolean;
  findProject(projectId: string): Promise<ProjectRef | undefined>;
  findProjectByKey(projectKey: string): Promise<PageProject | undefined>;
  /** Whether any Project allows pages of this origin. */
  isAllowedOrigin(origin: string): Promise<boolean>;
}

export function isAllowed(principal: Principal, permission: Permission): boolean {
  return principal.type === 'operator' || principal.permissions.includes(permission);
}

/** Who asks for a write, as the audit log names them. */
export interface Actor {
  readonly type: 'user' | 'key' | 'system' | 'cli';
  readonly id: string;
}

export function toActor(principal: Principal): Actor {
  return principal.type === 'key'
    ? { type: 'key', id: principal.keyId }
    : { type: 'cli', id: 'admin-token' };
}

/** An `Idempotency-Key` and the body it came with, both as keyed hashes. */
export interface IdempotencyClaim {
  readonly keyHash: string;
  readonly bodyHash: string;
}

/** The request behind a write: who, for which Project, and how to recognise a repeat. */
export interface WriteRequest {
  readonly workspaceId: string;
  /** Empty for what concerns a Workspace as a whole. */
  readonly projectId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly ip: string | null;
  readonly idempotency: IdempotencyClaim | null;
}

/** What the service does by itself, in the name of one of its parts. */
export function ownRequest(projectId: string, part: string, requestId: string): WriteRequest {
  return {
    workspaceId: '',
    projectId,
    actor: { type: 'system', id: part },
    requestId,
    ip: null,
    idempotency: null,
  };
}
