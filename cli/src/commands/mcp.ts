import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CliError, EXIT } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { bridge } from '../mcp/bridge.ts';
import { toVisible } from '../output/layout.ts';
import type { Values } from '../output/values.ts';

/** Tools may make several calls. */
const TIMEOUT_MS = 60_000;

/** Connects an agent on standard input and output to the service, until the agent goes away. */
export async function runMcp(context: Context, values: Values): Promise<undefined> {
  const { config, io } = context;
  if (config.apiKey === null) {
    throw new CliError(
      'Set GOODWORD_KEY to an API key: it bounds what the agent may do.',
      EXIT.usage,
    );
  }
  const agent = new StdioServerTransport();
  const service = new StreamableHTTPClientTransport(addressOf(config.baseUrl, values, config), {
    requestInit: { headers: { 'x-api-key': config.apiKey } },
    fetch: fetchInTime,
  });
  const ended = endOf(io.untilEnded());
  const { settle } = await bridge({
    agent,
    // Its declared types predate exact optional properties.
    service: service as Transport,
    describe: (error) => describe(config.baseUrl, error),
    report: (message) => io.err(`${toVisible(message)}\n`),
  });
  // Whoever pipes requests in closes the input before they are answered.
  if ((await ended) === 'input') await settle();
  await service.close();
  await agent.close();
}

function addressOf(
  baseUrl: string,
  { project }: Values,
  { projectId }: Pick<Context['config'], 'projectId'>,
): URL {
  const address = new URL(`${baseUrl}/mcp`);
  const named = project ?? projectId;
  if (named !== null && named !== undefined) address.searchParams.set('projectId', String(named));
  return address;
}

const fetchInTime: typeof fetch = (url, init) => {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init?.signal ? [init.signal] : [])];
  return fetch(url, { ...init, signal: AbortSignal.any(signals) });
};

/** What ended first: the agent's input, or the process was asked to stop. */
function endOf(signal: AbortSignal): Promise<'input' | 'process'> {
  return new Promise((resolve) => {
    process.stdin.once('end', () => resolve('input'));
    process.stdin.once('close', () => resolve('input'));
    signal.addEventListener('abort', () => resolve('process'), { once: true });
  });
}

interface Failed {
  /** The status of HTTP, of a response that was no success. */
  readonly code?: unknown;
  readonly cause?: { readonly code?: unknown };
  readonly name: string;
  readonly message: string;
}

function describe(baseUrl: string, error: unknown): string {
  const { code, cause, name, message } = error as Failed;
  if (code === 401) return `Goodword at ${baseUrl} does not accept the key in GOODWORD_KEY.`;
  if (typeof code === 'number') return message;
  const why = name === 'TimeoutError' ? `not within ${TIMEOUT_MS / 1000} s` : cause?.code;
  if (why === undefined) return message;
  return `Goodword does not answer at ${baseUrl} (${String(why)}). Set GOODWORD_URL if it runs elsewhere.`;
}
