import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestService } from './harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type Result = any;

/** A client of the official SDK, as agents have them. */
export interface TestAgent {
  readonly client: Client;
  /** The result of a tool; fails if it was refused. */
  use(tool: string, args?: object): Promise<Result>;
  /** The error of a tool; fails if it was not refused. */
  refusal(tool: string, args?: object): Promise<Result>;
  /** The text of a prompt. */
  prompt(name: string, args?: Record<string, string>): Promise<string>;
  /** The names of the tools that it may use. */
  tools(): Promise<string[]>;
  close(): Promise<void>;
}

export async function connectAgent(
  { url }: Pick<TestService, 'url'>,
  key: string,
  { path = '/mcp', name = 'test-agent' }: { readonly path?: string; readonly name?: string } = {},
): Promise<TestAgent> {
  const client = new Client({ name, version: '1.2.3' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }) as Parameters<Client['connect']>[0],
  );
  return wrapClient(client);
}

export function wrapClient(client: Client): TestAgent {
  const call = async (tool: string, args: object): Promise<Result> =>
    client.callTool({ name: tool, arguments: { ...args } });
  return {
    client,
    async use(tool, args = {}) {
      const { isError, structuredContent, content } = await call(tool, args);
      if (isError) throw new Error(`${tool} was refused: ${content[0].text}`);
      return structuredContent;
    },
    async refusal(tool, args = {}) {
      const { isError, content } = await call(tool, args);
      if (!isError) throw new Error(`${tool} was not refused: ${content[0].text}`);
      return JSON.parse(content[0].text).error;
    },
    async prompt(name, args = {}) {
      const { messages } = await client.getPrompt({ name, arguments: args });
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join();
    },
    async tools() {
      return (await client.listTools()).tools.map((tool) => tool.name);
    },
    close: () => client.close(),
  };
}

/** Another key of the Project's Workspace. */
export async function addKey(
  service: Pick<TestService, 'call'>,
  { workspaceId }: { readonly workspaceId: string },
  permissions: string | readonly string[],
  environment = 'sandbox',
): Promise<{ readonly keyId: string; readonly key: string }> {
  const body = { workspaceId, environment, name: 'Agent', permissions };
  const answer = await service.call('POST', '/v1/api-keys', { as: 'operator', body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return { keyId: answer.body.data.id, key: answer.body.key };
}
