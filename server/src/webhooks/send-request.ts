import { finished, type Readable } from 'node:stream';
import { Agent } from 'undici';
import { createConnector } from './connector.ts';
import { Deadline } from './deadline.ts';
import { readEndpointUrl } from './endpoint-url.ts';
import { explainFailure, type FailureReason, SendError } from './failure.ts';
import type { Reach } from './resolve-host.ts';

export const DEADLINE_MS = 10_000;
/** How much of an answer is read; the rest is cut off together with its connection. */
export const ANSWER_BYTES_MAX = 65_536;
/** How long a connection serves at most, so that a name's new address is followed. */
const CONNECTION_MS = 60_000;

export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `latencyMs`: to the status line, or to the failure. */
export type SendResult =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      /** Text that every database takes; what is not UTF-8 is replaced. */
      readonly bodyStart: string;
      readonly latencyMs: number;
    }
  | {
      readonly outcome: 'failed';
      readonly reason: FailureReason;
      readonly message: string;
      readonly latencyMs: number;
    };

export interface Sender {
  /** Posts once. Never rejects, follows no redirect, and is over soon after the deadline at most. */
  send(request: OutgoingRequest): Promise<SendResult>;
  /** Cuts off what is under way, which then fails as cancelled. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly reach: Reach;
  /** From the look-up to the status line; what is left of it is for the body. */
  readonly deadlineMs?: number;
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string;
}

/**
 * Sends webhooks, keeping connections open between them. A kept connection was vetted when it was
 * made, and the rules never change while the process runs: it needs no second look-up.
 */
export function createSender({ reach, deadlineMs = DEADLINE_MS, ca }: SenderOptions): Sender {
  const agent = new Agent({
    connect: createConnector({ reach, deadlineMs, ...(ca === undefined ? {} : { ca }) }),
    clientTtl: CONNECTION_MS,
    keepAliveMaxTimeout: CONNECTION_MS,
    // The deadline below covers both, to the millisecond.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function post(
    request: OutgoingRequest,
    deadline: Deadline,
    latency: () => number,
  ): Promise<SendResult> {
    const read = readEndpointUrl(request.url);
    if (!read.ok) throw new SendError('invalid_url', read.issue);
    const answer = await agent.request({
      origin: read.url.origin,
      path: read.url.path,
      method: 'POST',
      headers: {
        'user-agent': 'Goodword',
        'content-type': 'application/json',
        ...request.headers,
      },
      body: request.body,
      signal: deadline,
    });
    const latencyMs = latency();
    const bodyStart = await readStart(answer.body);
    return { outcome: 'answered', status: answer.statusCode, bodyStart, latencyMs };
  }

  return {
    async send(request) {
      const startedMs = performance.now();
      const latency = () => Math.round(performance.now() - startedMs);
      const deadline = new Deadline(deadlineMs);
      try {
        return await post(request, deadline, latency);
      } catch (error) {
        return { outcome: 'failed', ...explainFailure(error), latencyMs: latency() };
      } finally {
        deadline.clear();
      }
    },
    close: () => agent.destroy(),
  };
}

/** What comes of a body until it ends, breaks, is long enough, or the deadline cuts it. */
function readStart(body: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return new Promise((done) => {
    body.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.length;
      // Closes the connection too.
      if (length > ANSWER_BYTES_MAX) body.destroy();
    });
    // However it ends: the status line is the answer, and a body that breaks off changes nothing of it.
    finished(body, () => done(toText(Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX))));
  });
}

/** Without a character that was cut in two at the end, and without NUL, which PostgreSQL's text refuses. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}
