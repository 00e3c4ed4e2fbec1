import type { ApiKey, Project, WidgetSecret, Workspace } from '../workspaces/schema.ts';
import { CliError, type OperatorClient } from './client.ts';
import { defineCommand } from './command.ts';
import { layRecord } from './layout.ts';
import { environment, permissions, toPermissions } from './options.ts';

/** Everything a first call needs, made at once. */
interface Setup {
  readonly baseUrl: string;
  readonly workspace: Workspace;
  readonly project: Project;
  readonly apiKey: ApiKey;
  readonly key: string;
  readonly widgetSecret: WidgetSecret;
  readonly secret: string;
}

export const init = defineCommand({
  words: ['init'],
  summary: 'Make a workspace, a project, an API key and a widget secret at once',
  options: {
    name: { needed: 'sometimes', value: '<name>', about: 'The workspace’s name', fallback: 'Acme' },
    project: {
      needed: 'sometimes',
      value: '<name>',
      about: 'The project’s name',
      fallback: 'Shop',
    },
    environment: { ...environment, needed: 'sometimes', fallback: 'sandbox' },
    permissions: { ...permissions, needed: 'sometimes', fallback: 'full' },
  },
  async run(client, values) {
    const setup = await setUp(client, {
      workspaceName: values.name,
      projectName: values.project,
      environment: values.environment,
      permissions: toPermissions(values.permissions),
    });
    return { json: setup, text: describeSetup(setup) };
  },
});

async function setUp(
  client: OperatorClient,
  asked: {
    workspaceName: string;
    projectName: string;
    environment: string;
    permissions: string | string[];
  },
): Promise<Setup> {
  const { data: workspace } = await client.post<{ data: Workspace }>('/v1/workspaces', {
    name: asked.workspaceName,
  });
  try {
    const place = { workspaceId: workspace.id, environment: asked.environment };
    const { data: project } = await client.post<{ data: Project }>('/v1/projects', {
      ...place,
      name: asked.projectName,
    });
    const { data: apiKey, key } = await client.post<{ data: ApiKey; key: string }>('/v1/api-keys', {
      ...place,
      name: asked.projectName,
      permissions: asked.permissions,
    });
    const { data: widgetSecret, secret } = await client.post<{
      data: WidgetSecret;
      secret: string;
    }>(`/v1/projects/${project.id}/widget-secrets`);
    return { baseUrl: client.baseUrl, workspace, project, apiKey, key, widgetSecret, secret };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(`${error.message}\nThe workspace ${workspace.id} was made before this.`);
  }
}

function describeSetup(setup: Setup): string {
  const { workspace, project } = setup;
  const facts = layRecord([
    ['Workspace', `${workspace.id}  ${workspace.name}`],
    ['Project', `${project.id}  ${project.name}, ${project.environment}`],
    ['Project key', `${project.projectKey}  (public)`],
    ['API key', setup.key],
    ['Widget secret', setup.secret],
  ]);
  const next = nextCall(setup);
  return `
${facts}
The API key and the widget secret are shown this once. Keep them with your backend's
other secrets, never in a browser.
${next === null ? '' : `\nNext:\n\n${next}\n`}
`;
}

/** A call that the key may make; null when its permissions are too few for either. */
function nextCall({ baseUrl, project, apiKey, key }: Setup): string | null {
  if (apiKey.permissions.includes('participants:write')) {
    const body = {
      projectId: project.id,
      participant: { kind: 'individual', externalId: 'user-1' },
    };
    return `curl -X PUT ${baseUrl}/v1/participants \\
  -H 'X-Api-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;
  }
  if (apiKey.permissions.includes('webhooks:read')) {
    return `curl '${baseUrl}/v1/webhook-events?projectId=${project.id}' \\
  -H 'X-Api-Key: ${key}'`;
  }
  return null;
}
