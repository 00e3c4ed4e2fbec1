import { AsyncLocalStorage } from 'node:async_hooks';

const agents = new AsyncLocalStorage<string>();

/** Runs calls of the service's own routes that an agent makes over MCP, so that they name the agent. */
export function asAgent<T>(agent: string, calls: () => Promise<T>): Promise<T> {
  return agents.run(agent, calls);
}

/** The agent that makes the current call; undefined for a call that did not come over MCP. */
export function currentAgent(): string | undefined {
  return agents.getStore();
}
