import Type, { type Static } from 'typebox';
import { PERMISSION_PRESETS, PERMISSIONS } from '../../platform/http/access/permissions.ts';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import {
  Closed,
  IdText,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';

export const ENVIRONMENTS = ['sandbox', 'live'] as const;
const EnvironmentSchema = OneOf(ENVIRONMENTS);
const Name = Text(1, 120);
const WorkspaceId = Text(1, 512, 'The Workspace that owns it.');

export const Workspace = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: InstantOut, updatedAt: InstantOut },
  { title: 'Workspace' },
);
export type Workspace = Static<typeof Workspace>;

export const CreateWorkspace = Closed({ name: Name });

const Origins = Type.Array(Text(1, 300), {
  maxItems: 50,
  description:
    'Origins whose pages may call the Widget and click routes, such as https://example.com.',
});

export const Project = Type.Object(
  {
    id: Type.String(),
    workspaceId: Type.String(),
    projectKey: Type.String({ description: 'Public; part of every referral link.' }),
    name: Type.String(),
    environment: EnvironmentSchema,
    allowedOrigins: Type.Array(Type.String()),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'Project' },
);
export type Project = Static<typeof Project>;

export const CreateProject = Closed({
  workspaceId: WorkspaceId,
  name: Name,
  environment: EnvironmentSchema,
  allowedOrigins: Opt(Origins),
});
export const ChangeProject = Closed({
  name: Type.Optional(Name),
  allowedOrigins: Opt(Origins),
});

export const ProjectClock = Type.Object(
  {
    projectId: Type.String(),
    now: InstantOut,
    offsetMs: Type.Integer({ description: 'How far the Project’s clock is ahead of real time.' }),
  },
  { title: 'ProjectClock' },
);
export type ProjectClock = Static<typeof ProjectClock>;

export const SetClock = Closed({
  now: Type.String({
    ...InstantIn,
    description:
      'The new time. Not before the Project’s current time, and at most ten years ahead of real time.',
  }),
});

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    workspaceId: Type.String(),
    environment: EnvironmentSchema,
    name: Type.String(),
    permissions: Type.Array(OneOf(PERMISSIONS)),
    prefix: Type.String({ description: 'The first characters of the key.' }),
    last4: Type.String({ description: 'The last 4 characters of the key.' }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    expiresAt: Nullable(InstantOut),
    revokedAt: Nullable(InstantOut),
    lastUsedAt: Nullable({
      ...InstantOut,
      description: 'Recorded about once an hour. Null if the key was not used yet.',
    }),
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const ListApiKeys = Type.Object({
  workspaceId: IdText(),
  environment: Type.Optional(EnvironmentSchema),
  ...cursorQuery,
});
export type ListApiKeys = Static<typeof ListApiKeys>;

export const CreateApiKey = Closed({
  workspaceId: WorkspaceId,
  environment: EnvironmentSchema,
  name: Name,
  permissions: Type.Union([
    OneOf(Object.keys(PERMISSION_PRESETS) as (keyof typeof PERMISSION_PRESETS)[]),
    Type.Array(OneOf(PERMISSIONS), { minItems: 1, uniqueItems: true }),
  ]),
  expiresAt: Opt(InstantIn),
});
export const RotateApiKey = Closed({
  oldKeyEndsAfterHours: Opt(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      description: 'How many hours the old key still works (default 24).',
    }),
  ),
});

export const WidgetSecret = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    last4: Type.String(),
    createdAt: InstantOut,
    expiresAt: Nullable(InstantOut),
    revokedAt: Nullable(InstantOut),
  },
  { title: 'WidgetSecret' },
);
export type WidgetSecret = Static<typeof WidgetSecret>;

export const ListAudit = Type.Object({
  workspaceId: IdText(),
  projectId: Type.Optional(Text(1, 128, 'Only entries about this Project.')),
  actorType: Type.Optional(OneOf(['user', 'key', 'system', 'cli'])),
  actorId: Type.Optional(IdText('Id of the actor, such as a user or an API key.')),
  action: Type.Optional(Text(1, 100, 'The action, such as `reward.void`.')),
  targetType: Type.Optional(Text(1, 100, 'Type of the changed object, such as `reward`.')),
  targetId: Type.Optional(IdText('Id of the changed object.')),
  from: Type.Optional(InstantIn),
  to: Type.Optional(InstantIn),
  ...cursorQuery,
});
export type ListAudit = Static<typeof ListAudit>;

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: InstantOut,
    workspaceId: Type.String(),
    projectId: Nullable(Type.String()),
    actorType: OneOf(['user', 'key', 'system', 'cli']),
    actorId: Type.String(),
    action: Type.String(),
    targetType: Type.String(),
    targetId: Type.String(),
    requestId: Type.String(),
    ip: Nullable(Type.String()),
    changes: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The new values, or facts about the action. Secrets are left out.',
    }),
    before: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The previous values of what changed; null if none were recorded.',
      }),
    ),
    agent: Nullable(
      Type.String({
        description:
          'The agent that made the call over MCP, as it introduced itself; null for every other call.',
      }),
    ),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;
