import {
  mayAdminister,
  needsTotp,
  PERMISSION_PRESETS,
  PERMISSIONS,
  type Permission,
  permissionsOf,
  ROLES,
  type Role,
} from '../../../platform/http/access/permissions.ts';
import { WIDGET_SCOPES, type WidgetScope } from '../../../platform/http/access/principal.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { code, MADE, textTable } from './text-table.ts';

const YES = 'yes';

const SCOPES: Readonly<Record<WidgetScope, string>> = {
  'widget:read':
    'See the participant’s link, rewards and masked payout details; enroll the participant',
  'widget:payout': 'Save payout details',
};

const ABOUT: Readonly<Record<Role, string>> = {
  owner: 'Everything in the workspace, including managing its owners',
  admin: 'Everything except adding, changing or removing owners',
  operator: 'Daily work with facts, people, rewards and partners',
  finance: 'Sees everything and makes payouts',
  viewer: 'Sees everything and changes nothing',
};

/** Docs/reference/permissions.md: who may do what, from what is checked at every call. */
export function describePermissions(routes: readonly Route[]): string {
  const presets = Object.entries(PERMISSION_PRESETS) as [string, readonly Permission[]][];
  return `# Permissions and roles

${MADE}

This page lists what API keys, users of the console and widget tokens may do, and who may make each call.

## Keys

An API key has permissions. The API reference lists the permissions that each call needs. A preset is a named set of
permissions for a common use: \`"permissions": "backend"\`.

${textTable(
  ['Permission', ...presets.map(([name]) => code(name))],
  PERMISSIONS.map((permission) => [
    code(permission),
    ...presets.map(([, all]) => (all.includes(permission) ? YES : '')),
  ]),
)}

## People

A user of the console has a role in each of their workspaces.

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

The admin token of the installation can do everything in every workspace.

## Widget tokens

A widget token acts for one participant, is valid for at most 15 minutes, and has scopes instead of permissions.

${textTable(
  ['Scope', 'What it allows'],
  WIDGET_SCOPES.map((scope) => [code(scope), SCOPES[scope]]),
)}

## Calls by permission

${PERMISSIONS.map((permission) => `### ${permission}\n\n${listCalls(routes, permission)}`).join('\n\n')}

## Calls for operators

These calls need the admin token. Owners and admins of the workspace can also make them where the API reference
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
  if (needsTotp(role, false)) return 'required';
  return needsTotp(role, true) ? 'required if the workspace demands it' : '';
}
