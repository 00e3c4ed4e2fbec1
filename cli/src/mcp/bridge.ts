import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';

/** JSON-RPC's code for errors of an implementation. */
const NOT_DELIVERED = -32_000;

export interface BridgeEnds {
  /** The agent. */
  readonly agent: Transport;
  /** The service. */
  readonly service: Transport;
  /** The sentence for an agent whose request could not be delivered. */
  readonly describe: (error: unknown) => string;
  /** Reports what no request waits for. */
  readonly report: (message: string) => void;
}

export interface Bridge {
  /** Resolves once every message so far is passed on and answered. */
  readonly settle: () => Promise<void>;
}

/** Passes each message on unchanged. A request that cannot be delivered gets an error response. */
export async function bridge({ agent, service, describe, report }: BridgeEnds): Promise<Bridge> {
  const open = new Map<string | number, string>();
  const fail = (error: unknown) => report(describe(error));
  const { track, settle } = trackAll();
  service.onmessage = (message) => {
    const method = takeMethod(open, message);
    if (method === 'initialize') tellVersion(service, message);
    track(agent.send(message).catch(fail));
  };
  agent.onmessage = (message) => {
    if (isRequest(message)) open.set(message.id, message.method);
    const sent = service.send(message).catch((error: unknown) => {
      if (!isRequest(message) || !open.delete(message.id)) return fail(error);
      const refusal = { code: NOT_DELIVERED, message: describe(error) };
      return agent.send({ jsonrpc: '2.0', id: message.id, error: refusal }).catch(fail);
    });
    track(sent);
  };
  // What the service does not accept is reported where it is sent.
  agent.onerror = fail;
  await service.start();
  await agent.start();
  return { settle };
}

function trackAll() {
  const running = new Set<Promise<void>>();
  return {
    track(one: Promise<void>): void {
      running.add(one);
      void one.finally(() => running.delete(one));
    },
    async settle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The method of the request that a message responds to. */
function takeMethod(
  open: Map<string | number, string>,
  message: JSONRPCMessage,
): string | undefined {
  if ('method' in message || message.id === undefined) return undefined;
  const method = open.get(message.id);
  open.delete(message.id);
  return method;
}

/** From now on every call names the version that the service chose. */
function tellVersion(service: Transport, message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { protocolVersion } = message.result;
  if (typeof protocolVersion === 'string') service.setProtocolVersion?.(protocolVersion);
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}
