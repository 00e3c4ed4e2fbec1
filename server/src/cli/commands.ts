import { PERMISSION_PRESETS } from '../http/permissions.ts';
import type { ApiKey, AuditEntry, Project, WidgetSecret, Workspace } from '../workspaces/schema.ts';
import { CliError, type List } from './client.ts';
import { CLOCK_COMMANDS } from './clock-commands.ts';
import { type Command, defineCommand, type Output } from './command.ts';
import { init } from './init.ts';
import { layRecord, layTable } from './layout.ts';
import {
  allowedOrigin,
  environment,
  key,
  limit,
  oldKeyEndsAfterHours,
  permissions,
  project,
  required,
  secret,
  toPermissions,
  workspace,
} from './options.ts';
import { TEAM_COMMANDS } from './team-commands.ts';

interface Made<T> {
  readonly data: T;
}

const SHOWN_ONCE = 'It is shown this once: keep it with your backend’s other secrets.\n';

/** Everything the command line can do, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  init,
  defineCommand({
    words: ['workspace', 'create'],
    summary: 'Create a workspace',
    options: { name: required('<name>', 'Its name') },
    async run(client, { name }) {
      const answer = await client.post<Made<Workspace>>('/v1/workspaces', { name });
      return { json: answer, text: layRecord([['Workspace', answer.data.id]]) };
    },
  }),
  defineCommand({
    words: ['workspace', 'list'],
    summary: 'List the workspaces',
    options: { limit },
    async run(client, values) {
      const list = await client.list<Workspace>('/v1/workspaces', {}, Number(values.limit));
      return showList(list, 'workspace', ['ID', 'NAME', 'CREATED'], (row) => [
        row.id,
        row.name,
        row.createdAt,
      ]);
    },
  }),
  defineCommand({
    words: ['project', 'create'],
    summary: 'Create a project in a workspace',
    options: {
      workspace,
      name: required('<name>', 'Its name'),
      environment,
      'allowed-origin': allowedOrigin,
    },
    async run(client, values) {
      const answer = await client.post<Made<Project>>('/v1/projects', {
        workspaceId: values.workspace,
        name: values.name,
        environment: values.environment,
        allowedOrigins: values['allowed-origin'],
      });
      const text = layRecord([
        ['Project', answer.data.id],
        ['Project key', `${answer.data.projectKey}  (public)`],
      ]);
      return { json: answer, text };
    },
  }),
  defineCommand({
    words: ['project', 'change'],
    summary: 'Change a project’s name or the sites that may show its widget',
    options: {
      project,
      name: { needed: 'sometimes', value: '<name>', about: 'Its new name' },
      'allowed-origin': {
        ...allowedOrigin,
        about: 'A site whose pages may show the widget, in place of those before',
      },
    },
    async run(client, values) {
      const { name, 'allowed-origin': allowedOrigins } = values;
      if (name === undefined && allowedOrigins.length === 0) {
        throw new CliError('Say what to change: --name or --allowed-origin.');
      }
      const path = `/v1/projects/${encodeURIComponent(values.project)}`;
      const answer = await client.patch<Made<Project>>(path, {
        ...(name === undefined ? {} : { name }),
        ...(allowedOrigins.length === 0 ? {} : { allowedOrigins }),
      });
      const text = layRecord([
        ['Project', answer.data.id],
        ['Name', answer.data.name],
        ['Allowed origins', answer.data.allowedOrigins.join(', ') || 'none'],
      ]);
      return { json: answer, text };
    },
  }),
  defineCommand({
    words: ['project', 'list'],
    summary: 'List the projects, of one workspace or of all',
    options: { workspace: { ...workspace, needed: 'sometimes' }, limit },
    async run(client, values) {
      const query = values.workspace === undefined ? {} : { workspaceId: values.workspace };
      const list = await client.list<Project>('/v1/projects', query, Number(values.limit));
      const titles = ['ID', 'NAME', 'ENVIRONMENT', 'WORKSPACE', 'PROJECT KEY', 'CREATED'];
      return showList(list, 'project', titles, (row) => [
        row.id,
        row.name,
        row.environment,
        row.workspaceId,
        row.projectKey,
        row.createdAt,
      ]);
    },
  }),
  defineCommand({
    words: ['key', 'create'],
    summary: 'Create an API key for the projects of one environment, and show it',
    options: {
      workspace,
      environment,
      name: required('<name>', 'What it is for'),
      permissions,
      'expires-at': {
        needed: 'sometimes',
        value: '<time>',
        about: 'When it ends, such as 2027-01-31T00:00:00Z; never unless told',
      },
    },
    async run(client, values) {
      const answer = await client.post<Made<ApiKey> & { key: string }>('/v1/api-keys', {
        workspaceId: values.workspace,
        environment: values.environment,
        name: values.name,
        permissions: toPermissions(values.permissions),
        ...(values['expires-at'] === undefined ? {} : { expiresAt: values['expires-at'] }),
      });
      return { json: answer, text: showKey(answer) };
    },
  }),
  defineCommand({
    words: ['key', 'list'],
    summary: 'List a workspace’s API keys, without the keys themselves',
    options: { workspace, limit },
    async run(client, values) {
      const query = { workspaceId: values.workspace };
      const list = await client.list<ApiKey>('/v1/api-keys', query, Number(values.limit));
      const titles = ['ID', 'NAME', 'KEY', 'PERMISSIONS', 'CREATED', 'EXPIRES', 'REVOKED'];
      return showList(list, 'key', titles, (row) => [
        row.id,
        row.name,
        `${row.prefix}…${row.last4}`,
        describePermissions(row.permissions),
        row.createdAt,
        row.expiresAt ?? '-',
        row.revokedAt ?? '-',
      ]);
    },
  }),
  defineCommand({
    words: ['key', 'rotate'],
    summary: 'Replace an API key by a new one, and show it',
    options: { key, 'old-key-ends-after-hours': oldKeyEndsAfterHours },
    async run(client, values) {
      const hours = Number(values['old-key-ends-after-hours']);
      const answer = await client.post<Made<ApiKey> & { key: string }>(
        `/v1/api-keys/${encodeURIComponent(values.key)}/rotate`,
        { oldKeyEndsAfterHours: hours },
      );
      return { json: answer, text: showKey(answer) };
    },
  }),
  defineCommand({
    words: ['key', 'revoke'],
    summary: 'End an API key at once',
    options: { key },
    async run(client, values) {
      const path = `/v1/api-keys/${encodeURIComponent(values.key)}/revoke`;
      const answer = await client.post<Made<ApiKey>>(path);
      return { json: answer, text: `The key ${answer.data.id} works no more.\n` };
    },
  }),
  defineCommand({
    words: ['widget-secret', 'create'],
    summary:
      'Create the secret that signs widget tokens, and show it; the one before ends in a day',
    options: { project },
    async run(client, values) {
      const answer = await client.post<Made<WidgetSecret> & { secret: string }>(
        `/v1/projects/${encodeURIComponent(values.project)}/widget-secrets`,
      );
      const text = layRecord([
        ['Widget secret id', answer.data.id],
        ['Widget secret', answer.secret],
      ]);
      return { json: answer, text: text + SHOWN_ONCE };
    },
  }),
  defineCommand({
    words: ['widget-secret', 'list'],
    summary: 'List a project’s widget secrets, without the secrets themselves',
    options: { project },
    async run(client, values) {
      const path = `/v1/projects/${encodeURIComponent(values.project)}/widget-secrets`;
      const list = await client.get<Made<WidgetSecret[]>>(path);
      const titles = ['ID', 'SECRET', 'CREATED', 'EXPIRES', 'REVOKED'];
      return showList(list, 'widget secret', titles, (row) => [
        row.id,
        `wsec_…${row.last4}`,
        row.createdAt,
        row.expiresAt ?? '-',
        row.revokedAt ?? '-',
      ]);
    },
  }),
  defineCommand({
    words: ['widget-secret', 'revoke'],
    summary: 'End a widget secret at once',
    options: { project, secret },
    async run(client, values) {
      const secrets = `/v1/projects/${encodeURIComponent(values.project)}/widget-secrets`;
      const path = `${secrets}/${encodeURIComponent(values.secret)}/revoke`;
      const answer = await client.post<Made<WidgetSecret>>(path);
      return { json: answer, text: `The widget secret ${answer.data.id} works no more.\n` };
    },
  }),
  ...TEAM_COMMANDS,
  ...CLOCK_COMMANDS,
  defineCommand({
    words: ['audit'],
    summary: 'Show who changed what in a workspace',
    options: {
      workspace,
      project: { ...project, needed: 'sometimes', about: 'Only what concerns this project' },
      limit,
    },
    async run(client, values) {
      const query = {
        workspaceId: values.workspace,
        ...(values.project === undefined ? {} : { projectId: values.project }),
      };
      const list = await client.list<AuditEntry>('/v1/audit-log', query, Number(values.limit));
      return showList(list, 'change', ['AT', 'WHO', 'ACTION', 'TARGET', 'CHANGES'], (row) => [
        row.at,
        `${row.actorType} ${row.actorId}`,
        row.action,
        row.targetId,
        JSON.stringify(row.changes),
      ]);
    },
  }),
];

function showKey(answer: Made<ApiKey> & { key: string }): string {
  const facts = layRecord([
    ['Key id', answer.data.id],
    ['API key', answer.key],
  ]);
  return facts + SHOWN_ONCE;
}

function showList<T>(
  list: Made<readonly T[]> & Partial<Pick<List<T>, 'nextCursor'>>,
  noun: string,
  titles: readonly string[],
  toCells: (row: T) => string[],
): Output {
  const table = layTable(titles, list.data.map(toCells), `There is no ${noun} yet.`);
  const more = list.nextCursor ? 'There are more. Raise --limit to see them.\n' : '';
  return { json: list, text: table + more };
}

/** The name of the preset that has exactly these permissions, else all of them. */
function describePermissions(granted: readonly string[]): string {
  const preset = Object.entries(PERMISSION_PRESETS).find(
    ([, members]) =>
      members.length === granted.length && members.every((member) => granted.includes(member)),
  );
  return preset?.[0] ?? granted.join(',');
}
