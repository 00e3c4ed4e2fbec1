import { mayAdminister, type Permission, permissionsOf, type Role } from './permissions.ts';

export type Environment = 'sandbox' | 'live';

/** A Workspace's API key: may act on the Projects of its environment in its Workspace. */
export interface KeyPrincipal {
  readonly type: 'key';
  readonly keyId: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[];
}

/** The holder of the admin token: may do everything. */
interface OperatorPrincipal {
  readonly type: 'operator';
}

export interface Membership {
  readonly workspaceId: string;
  readonly role: Role;
}

/** A signed-in user: has in each of their Workspaces the permissions of their role there. */
export interface UserPrincipal {
  readonly type: 'user';
  readonly userId: string;
  readonly sessionId: string;
  readonly memberships: readonly Membership[];
  /** Until TOTP is set up, they may do nothing else. */
  readonly mustSetUpTotp: boolean;
  /** It is missing, but may be set up later on this machine. */
  readonly isTotpPostponed: boolean;
}

export type Principal = KeyPrincipal | OperatorPrincipal | UserPrincipal;

/** What every call needs to know about its Project: none of it ever changes. */
export interface ProjectRef {
  readonly id: string;
  readonly workspaceId: string;
  readonly projectKey: string;
  readonly environment: Environment;
}

/** What calls from pages also need. */
export interface PageProject extends ProjectRef {
  /** The origins whose pages may call page routes. */
  readonly allowedOrigins: readonly string[];
}

/** The permissions of a Widget token. */
export const WIDGET_SCOPES = ['widget:read', 'widget:payout'] as const;
export type WidgetScope = (typeof WIDGET_SCOPES)[number];

/** The participant of a Widget token. They need not exist yet. */
export interface WidgetCaller {
  readonly project: PageProject;
  readonly participant: { readonly kind: 'individual' | 'group'; readonly externalId: string };
  readonly scopes: readonly WidgetScope[];
}

export type TokenVerdict =
  | { readonly caller: WidgetCaller }
  | {
      /** Why the token is not accepted, as the end of a sentence about it. */
      readonly fault: string;
      /** A secret of the Project signed it: the sender is not guessing. */
      readonly isSigned: boolean;
      /** The Project that it names, if it exists: its pages may read the refusal. */
      readonly project: PageProject | null;
    };

/** Finds the participant of a Widget token; implemented by `widget/`. */
export type CheckWidgetToken = (token: string) => Promise<TokenVerdict>;

/** How a signed-in browser calls. */
export interface Visit {
  /** Whether it counts as use of the session. */
  readonly isUse: boolean;
  /** Whether it comes from the service's own machine, to a loopback address. */
  readonly isLocal: boolean;
}

/** Identifies callers; implemented by `workspaces/`. */
export interface Identities {
  findKey(apiKey: string): Promise<KeyPrincipal | undefined>;
  isAdminToken(token: string): boolean;
  findProject(projectId: string): Promise<ProjectRef | undefined>;
  findProjectByKey(projectKey: string): Promise<PageProject | undefined>;
  /** Whether any Project allows pages of this origin. */
  isAllowedOrigin(origin: string): Promise<boolean>;
  /** The user who is signed in with these cookies. */
  findUser(cookies: string, visit: Visit): Promise<UserPrincipal | undefined>;
  /** Origin of our own pages: only they may change something in a user's name. */
  readonly origin: string;
}

/** Whether the caller has a permission in a Workspace. A key's Workspace is checked elsewhere. */
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

/** Undefined for a user who is not a member of the Workspace. */
export function roleIn({ memberships }: UserPrincipal, workspaceId: string): Role | undefined {
  return memberships.find((one) => one.workspaceId === workspaceId)?.role;
}

/** Whether they may use the operator routes of this Workspace. */
export function mayOperate(principal: Principal, workspaceId: string): boolean {
  if (principal.type !== 'user') return principal.type === 'operator';
  const role = roleIn(principal, workspaceId);
  return role !== undefined && mayAdminister(role);
}

/** Who requests a write, as named in the audit log. */
export interface Actor {
  readonly type: 'user' | 'key' | 'system' | 'cli';
  readonly id: string;
  /** The program that called in their name, as it introduced itself over MCP; undefined for other calls. */
  readonly agent?: string;
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

/** An `Idempotency-Key` and the body it was sent with, both as keyed hashes. */
export interface IdempotencyClaim {
  readonly keyHash: string;
  readonly bodyHash: string;
}

/** The request behind a write: who, for which Project, and how to recognise a repeat. */
export interface WriteRequest {
  readonly workspaceId: string;
  /** Empty if it concerns a whole Workspace. */
  readonly projectId: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly ip: string | null;
  readonly idempotency: IdempotencyClaim | null;
  /** Everything is decided and nothing is kept: a write that would be accepted ends with `Rehearsed`. */
  readonly isRehearsal?: true;
}

/** A request of the service itself, in the name of one of its parts. */
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
