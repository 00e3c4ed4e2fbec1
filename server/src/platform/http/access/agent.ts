import { AsyncLocalStorage } from 'node:async_hooks';

/** The agent that makes a call over MCP, as it introduced itself. */
export interface AgentCall {
  readonly agent: string;
  /** Whether the call only finds out if it would be accepted. */
  readonly isRehearsal: boolean;
}

const agentCalls = new AsyncLocalStorage<AgentCall>();

/** Runs calls of the service's own routes that an agent makes over MCP, so that they name the agent. */
export function asAgent<T>(call: AgentCall, work: () => Promise<T>): Promise<T> {
  return agentCalls.run(call, work);
}

/** Undefined for a call that did not come over MCP. */
export function currentAgentCall(): AgentCall | undefined {
  return agentCalls.getStore();
}
