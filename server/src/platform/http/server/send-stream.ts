import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../kit/errors.ts';
import type { OpenStream, StreamMessage } from '../routes/answers.ts';
import { statusOf, toAppError } from '../routes/error-body.ts';
import type { Place } from './streams.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Some proxies buffer responses unless this is set.
  'x-accel-buffering': 'no',
};

/** How often a comment is sent, so that a quiet stream is not taken for a dead one. */
export const HEARTBEAT_MS = 15_000;
/** How long a reader should wait before it reconnects. */
const RETRY_MS = 2_000;
/** How long a reader has to read what was written before the end; then it is cut off. */
const END_MS = 1_000;

export interface StreamOptions {
  readonly place: Place;
  /** Called before anything is sent, and at every heartbeat: may the reader still read it? */
  readonly mayGoOn: () => Promise<boolean>;
  /** Reports an internal error that ended the stream. */
  readonly onFailure: (failure: AppError) => void;
  /** Called once, when the connection is closed, with the number of messages sent. */
  readonly onEnd: (messages: number) => void;
}

const streamed = new WeakSet<FastifyRequest>();

/** Whether the response is a stream, which reports its own end. */
export function isStreamed(request: FastifyRequest): boolean {
  return streamed.has(request);
}

/** The response to a HEAD. */
export function sendStreamHeaders(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, headersOf(reply)).end();
}

function headersOf(reply: FastifyReply): OutgoingHttpHeaders {
  return { ...(reply.getHeaders() as OutgoingHttpHeaders), ...HEADERS };
}

/**
 * Sends server-sent events until the reader disconnects, the stream is stopped, or something fails.
 * A failing stream is cut off; every other ends properly. Messages are requested only as they are
 * read, so that a slow reader costs a few messages of memory.
 */
export function sendStream(reply: FastifyReply, open: OpenStream, options: StreamOptions): void {
  const { place } = options;
  const answer = reply.raw;
  let messages = 0;
  let beat: NodeJS.Timeout | undefined;
  let cut: NodeJS.Timeout | undefined;
  streamed.add(reply.request);
  reply.hijack();
  // The reader may have disconnected while the call was checked.
  if (answer.destroyed) {
    close();
    return;
  }
  answer.once('close', close);
  // A connection that ends with its stream does not delay stopping the service.
  answer.writeHead(200, { ...headersOf(reply), connection: 'close' });
  answer.write(`retry: ${RETRY_MS}\n\n`);
  beat = setInterval(() => void heartbeat(), HEARTBEAT_MS);
  // Does not wait for the page being read: the database may be slow.
  place.stopping.addEventListener('abort', end);
  void send();

  async function send(): Promise<void> {
    try {
      for await (const some of open(place.stopping)) {
        if (!(await options.mayGoOn())) place.stop();
        if (place.stopping.aborted) break;
        messages += some.length;
        if (answer.write(some.map(toText).join(''))) continue;
        await once(answer, 'drain', { signal: place.stopping });
      }
      end();
    } catch (error) {
      if (!place.stopping.aborted) fail(error);
    }
  }

  async function heartbeat(): Promise<void> {
    try {
      const mayGoOn = await options.mayGoOn();
      if (place.stopping.aborted) return;
      if (!mayGoOn) place.stop();
      else if (!answer.writableNeedDrain) answer.write(':\n\n');
    } catch (error) {
      if (!place.stopping.aborted) fail(error);
    }
  }

  function end(): void {
    if (answer.destroyed || answer.writableEnded) return;
    answer.end();
    cut = setTimeout(() => answer.destroy(), END_MS);
  }

  function fail(error: unknown): void {
    const failure = toAppError(error);
    if (statusOf(failure) >= 500) options.onFailure(failure);
    answer.destroy();
  }

  function close(): void {
    clearInterval(beat);
    clearTimeout(cut);
    place.stop();
    place.leave();
    options.onEnd(messages);
  }
}

function toText({ id, type, data }: StreamMessage): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;
}
