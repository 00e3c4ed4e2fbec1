import type { BodyOf, components } from '@goodword/sdk';
import type { Client } from '../calls/client.ts';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { layRecord } from '../output/layout.ts';
import { textOf, type Values } from '../output/values.ts';

type Schemas = components['schemas'];
type Asked = BodyOf<'POST /v1/api-keys'>;

/** Everything that a first call needs, created together. */
interface Setup {
  readonly baseUrl: string;
  readonly workspace: Schemas['Workspace'];
  readonly project: Schemas['Project'];
  readonly apiKey: Schemas['ApiKey'];
  readonly key: string;
  readonly widgetSecret: Schemas['WidgetSecret'];
  readonly secret: string;
}

export async function runInit(context: Context, values: Values): Promise<undefined> {
  const setup = await setUp(context.client, {
    workspaceName: textOf(values, 'name') ?? 'Acme',
    projectName: textOf(values, 'project') ?? 'Shop',
    environment: (values.environment as Asked['environment'] | undefined) ?? 'sandbox',
    permissions: (values.permissions as Asked['permissions'] | undefined) ?? 'full',
  });
  await context.io.out(
    context.asJson ? `${JSON.stringify(setup, null, 2)}\n` : describeSetup(setup),
  );
}

async function setUp(
  client: Client,
  asked: Pick<Asked, 'environment' | 'permissions'> & {
    readonly workspaceName: string;
    readonly projectName: string;
  },
): Promise<Setup> {
  const { data: workspace } = await client.call({
    operation: 'POST /v1/workspaces',
    body: { name: asked.workspaceName },
    takesKey: false,
  });
  try {
    const place = { workspaceId: workspace.id, environment: asked.environment };
    const { data: project } = await client.call({
      operation: 'POST /v1/projects',
      body: { ...place, name: asked.projectName },
      takesKey: false,
    });
    const { data: apiKey, key } = await client.call({
      operation: 'POST /v1/api-keys',
      body: { ...place, name: asked.projectName, permissions: asked.permissions },
      takesKey: false,
    });
    const { data: widgetSecret, secret } = await client.call({
      operation: 'POST /v1/projects/{projectId}/widget-secrets',
      path: { projectId: project.id },
      takesKey: false,
    });
    return { baseUrl: client.baseUrl, workspace, project, apiKey, key, widgetSecret, secret };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const made = `The workspace ${workspace.id} was already created.`;
    throw new CliError(`${error.message}\n${made}`, error.exitCode, error.body);
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
The API key and the widget secret are shown only once. Keep them with your backend's
other secrets, never in a browser.
${next === null ? '' : `\nNext:\n\n${next}\n`}
`;
}

/** A call that the key may make; null if its permissions allow neither. */
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
