import { expect } from 'vitest';
import type { TestProject, TestService } from './harness.ts';
import { type Receiver, receiveHttp } from './receiver.ts';

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly event: any;
}

export interface Listener extends Receiver {
  readonly url: string;
  /** Every request so far, in order. */
  readonly received: Received[];
  /** What it answers to each; 200 unless told otherwise. */
  answer: (event: Received['event'], count: number) => number | Promise<number>;
  /** With which words. */
  words: (event: Received['event']) => string;
}

/** A receiver that remembers what it got. */
export async function listen(): Promise<Listener> {
  const received: Received[] = [];
  const receiver = await receiveHttp((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', async () => {
      const event = JSON.parse(body);
      received.push({ headers: request.headers as Record<string, string>, body, event });
      response.statusCode = await listener.answer(event, received.length);
      response.end(listener.words(event));
    });
  });
  const listener: Listener = {
    ...receiver,
    url: `http://127.0.0.1:${receiver.port}/hooks`,
    received,
    answer: () => 200,
    words: () => 'thanks',
  };
  return listener;
}

/** Makes an endpoint; the answer holds its secret. */
export async function addEndpoint(
  service: Pick<TestService, 'call'>,
  { projectId, key }: TestProject,
  options: { url: string; fulfillmentMode?: string; eventTypes?: string[] },
): Promise<{ id: string; secret: string }> {
  const { status, body } = await service.call('POST', '/v1/webhook-endpoints', {
    as: key,
    body: { projectId, ...options },
  });
  expect([status, body]).toMatchObject([200, {}]);
  return { id: body.endpoint.id, secret: body.secret };
}
