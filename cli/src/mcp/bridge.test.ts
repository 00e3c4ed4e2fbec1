import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { bridge } from './bridge.ts';

class TestEnd implements Transport {
  readonly sent: JSONRPCMessage[] = [];
  readonly versions: string[] = [];
  isStarted = false;
  failure: Error | null = null;
  onmessage?: NonNullable<Transport['onmessage']>;
  onerror?: NonNullable<Transport['onerror']>;
  async start() {
    this.isStarted = true;
  }
  async send(message: JSONRPCMessage) {
    if (this.failure) throw this.failure;
    this.sent.push(message);
  }
  async close() {}
  setProtocolVersion(version: string) {
    this.versions.push(version);
  }
}

async function open() {
  const agent = new TestEnd();
  const service = new TestEnd();
  const reports: string[] = [];
  const { settle } = await bridge({
    agent,
    service,
    describe: (error) => `Not delivered: ${(error as Error).message}`,
    report: (message) => reports.push(message),
  });
  return { agent, service, reports, settle };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const REQUEST = { jsonrpc: '2.0', id: 7, method: 'tools/list' } as const;

test('messages pass unchanged in both directions', async () => {
  const { agent, service } = await open();
  expect([agent.isStarted, service.isStarted]).toEqual([true, true]);
  agent.onmessage?.(REQUEST);
  expect(service.sent).toEqual([REQUEST]);
  const answer = { jsonrpc: '2.0', id: 7, result: { tools: [] } } as const;
  service.onmessage?.(answer);
  expect(agent.sent).toEqual([answer]);
});

test('a request that cannot be delivered gets one error, under its id', async () => {
  const { agent, service, reports } = await open();
  service.failure = new Error('down');
  agent.onmessage?.(REQUEST);
  await settled();
  expect(agent.sent).toEqual([
    { jsonrpc: '2.0', id: 7, error: { code: -32_000, message: 'Not delivered: down' } },
  ]);
  expect(reports).toEqual([]);
});

test('a notification that cannot be delivered is reported', async () => {
  const { agent, service, reports } = await open();
  service.failure = new Error('down');
  agent.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await settled();
  expect(agent.sent).toEqual([]);
  expect(reports).toEqual(['Not delivered: down']);
});

test('the version that the service chose is named from then on', async () => {
  const { agent, service } = await open();
  agent.onmessage?.({ ...REQUEST, method: 'initialize' });
  service.onmessage?.({ jsonrpc: '2.0', id: 7, result: { protocolVersion: '2025-11-25' } });
  expect(service.versions).toEqual(['2025-11-25']);
  service.onmessage?.({ jsonrpc: '2.0', id: 7, result: { protocolVersion: 'again' } });
  expect(service.versions).toEqual(['2025-11-25']);
});

test('a bridge that is settled has passed on every answer', async () => {
  const { agent, service, settle } = await open();
  const answer = { jsonrpc: '2.0', id: 7, result: { tools: [] } } as const;
  service.send = async () => {
    await settled();
    service.onmessage?.(answer);
  };
  agent.send = async (message) => {
    await settled();
    agent.sent.push(message);
  };
  agent.onmessage?.(REQUEST);
  expect(agent.sent).toEqual([]);
  await settle();
  expect(agent.sent).toEqual([answer]);
});
