import type { Permission } from './permissions.ts';
import { mayAdminister, permissionsOf, type Role } from './roles.ts';

export type Environment = 'sandbox' | 'live';

/** A Workspace's API key: may act on the Projects of its environment in its Workspace. */
interface KeyPrincipal {
  readonly type: 'key';
  readonly keyId: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[];
}

/** Whoever holds the admin token: may do everything. */
interface OperatorPrincipal {
  readonly type: 'operator';
}

export interface Membership {
  readonly workspaceId: string;
  readonly role: Role;
}

/** Somebody who is signed in: may do in each of their Workspaces what their role there may. */
export interface UserPrincipal {
  readonly type: 'user';
  readonly userId: string;
  readonly sessionId: string;
  readonly memberships: readonly Membership[];
  /** Until that is done, they may do nothing else. */
  readonly mustSetUpTotp: boolean;
}

export type Principal = KeyPrincipal | OperatorPrincipal | UserPrincipal;

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
      /** A secret of the Project signed it: whoever sends it guesses nothing. */
      readonly isSigned: boolean;
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
  /** Who is signed in with the browser that sends these cookies. */
  /** Unless told that it is no use, the session is taken to be in use. */
  findUser(cookies: string, isUse?: boolean): Promise<UserPrincipal | undefined>;
  /** Where our own pages are: only they may change something in a user's name. */
  readonly origin: string;
}

/** Whether the caller has a permission in a Workspace. A key's Workspace is looked at elsewhere. */
export function isAllowed(
  principal: Principal,
  permission: Permission,
  workspaceId: string,
): boolean {
  switch (principal.type) {
    case 'operator':
      return true;
    case 'key':
      return principal.permissions.includes(permission);
    case 'user': {
      const role = roleIn(principal, workspaceId);
      return role !== undefined && permissionsOf(role).includes(permission);
    }
  }
}

/** Undefined for who has no business in the Workspace. */
export function roleIn({ memberships }: UserPrincipal, workspaceId: string): Role | undefined {
  return memberships.find((one) => one.workspaceId === workspaceId)?.role;
}

/** Whether they may use the routes for operators that are about this Workspace. */
export function mayOperate(principal: Principal, workspaceId: string): boolean {
  if (principal.type !== 'user') return principal.type === 'operator';
  const role = roleIn(principal, workspaceId);
  return role !== undefined && mayAdminister(role);
}

/** Who asks for a write, as the audit log names them. */
export interface Actor {
  readonly type: 'user' | 'key' | 'system' | 'cli';
  readonly id: string;
}

export function toActor(principal: Principal): Actor {
  switch (principal.type) {
    case 'key':
      return { type: 'key', id: principal.keyId };
    case 'user':
      return { type: 'user', id: principal.userId };
    case 'operator':
      return { type: 'cli', id: 'admin-token' };
  }
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
