import { IdText, Opt } from '../../../platform/kit/schema.ts';
import { type Connection, listProjectsOf } from '../protocol/projects.ts';
import type { Tool } from './tool.ts';

/** The one tool that is about no Project: a key learns which ones it may use. */
export const LIST_PROJECTS = {
  name: 'list_projects',
  title: 'List projects',
  description:
    'List the projects that this key may use, oldest first. Other tools need a `projectId` if there are several.',
  permissions: [],
  input: { after: Opt(IdText('`nextAfter` of the previous page.')) },
  change: null,
} satisfies Omit<Tool, 'run'>;

export const runListProjects = (connection: Connection, { after }: { after?: unknown }) =>
  listProjectsOf(connection, typeof after === 'string' ? after : '');
