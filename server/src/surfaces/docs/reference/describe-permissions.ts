import {
  PERMISSION_PRESETS,
  PERMISSIONS,
  type Permission,
} from '../../../platform/http/access/permissions.ts';
import { WIDGET_SCOPES, type WidgetScope } from '../../../platform/http/access/principal.ts';
import {
  mayAdminister,
  needsTotp,
  permissionsOf,
  ROLES,
  type Role,
} from '../../../platform/http/access/roles.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { code, MADE, textTable } from './text-table.ts';

const YES = 'yes';

const SCOPES: Readonly<Record<WidgetScope, string>> = {
  'widget:read': 'See what one shares and earns, and be enrolled',
  'widget:payout': 'See, masked, and say where one is paid',
};

const ABOUT: Readonly<Record<Role, string>> = {
  owner: 'Everything in the workspace, and who else owns it',
  admin: 'Everything but to make, change or remove owners',
  operator: 'The daily work: facts, people, rewards, partners',
  finance: 'Looks at everything, and pays',
  viewer: 'Looks at everything, and changes nothing',
};

/** Docs/reference/permissions.md: who may do what, from what is checked at every call. */
export function describePermissions(routes: readonly Route[]): string {
  const presets = Object.entries(PERMISSION_PRESETS) as [string, readonly Permission[]][];
  return `# Permissions and roles

${MADE}

## Keys

An API key has permissions; each call needs those that the API reference lists with it. A preset is a name for
the set that most keys need: \`"permissions": "backend"\`.

${textTable(
  ['Permission', ...presets.map(([name]) => code(name))],
  PERMISSIONS.map((permission) => [
    code(permission),
    ...presets.map(([, all]) => (all.includes(permission) ? YES : '')),
  ]),
)}

## People

Who signs in to the console has a role in each of their workspaces.

${textTable(
  ['Role', 'What it is for', 'Keys, secrets and the team', 'Second factor'],
  ROLES.map((role) => [
    code(role),
    ABOUT[role],
    mayAdminister(role) ? YES : '',
    secondFactor(role),
  ]),
)}

${textTable(
  ['Permission', ...ROLES.map(code)],
  PERMISSIONS.map((permission) => [
    code(permission),
    ...ROLES.map((role) => (permissionsOf(role).includes(permission) ? YES : '')),
  ]),
)}

The admin token of the installation may do everything, in every workspace.

## Widget tokens

They speak for one participant, for 15 minutes at most, and have scopes instead of permissions.

${textTable(
  ['Scope', 'What it allows'],
  WIDGET_SCOPES.map((scope) => [code(scope), SCOPES[scope]]),
)}

## Calls by permission

${PERMISSIONS.map((permission) => `### ${permission}\n\n${listCalls(routes, permission)}`).join('\n\n')}

## Calls for operators

With the admin token, and for users who are owner or admin of the workspace in question where the API reference
says so.

${toList(routes.filter(({ access }) => access.by === 'operator'))}
`;
}

function listCalls(routes: readonly Route[], permission: Permission): string {
  return toList(
    routes.filter(({ access }) => access.by === 'key' && access.permissions.includes(permission)),
  );
}

function toList(routes: readonly Route[]): string {
  return routes
    .map(({ method, path, summary }) => `- ${code(`${method} ${path}`)}: ${summary}`)
    .join('\n');
}

function secondFactor(role: Role): string {
  if (needsTotp(role, false)) return 'needed';
  return needsTotp(role, true) ? 'needed where the workspace says so' : '';
}
