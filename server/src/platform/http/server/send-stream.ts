import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../kit/errors.ts';
import { statusOf, toAppError } from '../routes/error-body.ts';
import type { OpenStream, StreamMessage } from '../routes/route.ts';
import type { Place } from './streams.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Some proxies gather answers unless they are told not to.
  'x-accel-buffering': 'no',
};

/** How often a comment is sent, so that nobody takes a quiet stream for a dead one. */
export const HEARTBEAT_MS = 15_000;
/** How long a reader should wait before it connects again. */
const RETRY_MS = 2_000;
/** How long a reader has to take what was written before the end, or is cut off. */
const END_MS = 1_000;

export interface StreamOptions {
  readonly place: Place;
  /** Asked before anything is sent, and at every heartbeat: may the reader still read it? */
  readonly mayGoOn: () => Promise<boolean>;
  /** Hears of a fault of ours that ended the stream. */
  readonly onFailure: (failure: AppError) => void;
  /** Told once, when the connection is closed, how many messages were sent. */
  readonly onEnd: (messages: number) => void;
}

const streamed = new WeakSet<FastifyRequest>();

/** Whether the answer is a stream, which tells of its end itself. */
export function isStreamed(request: FastifyRequest): boolean {
  return streamed.has(request);
}

/** The answer to a HEAD. */
export function sendStreamHeaders(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, headersOf(reply)).end();
}

function headersOf(reply: FastifyReply): OutgoingHttpHeaders {
  return { ...(reply.getHeaders() as OutgoingHttpHeaders), ...HEADERS };
}

/**
 * Answers with server-sent events until the reader goes away, the stream is told to stop, or
 * something fails. A stream that fails breaks off; every other ends in order. What the reader does
 * not take is not asked for either, so that a slow one costs a few messages of memory.
 */
export function sendStream(reply: FastifyReply, open: OpenStream, options: StreamOptions): void {
  const { place } = options;
  const answer = reply.raw;
  let messages = 0;
  let beat: NodeJS.Timeout | undefined;
  let cut: NodeJS.Timeout | undefined;
  streamed.add(reply.request);
  reply.hijack();
  // The reader may have gone while the call was looked at.
  if (answer.destroyed) {
    close();
    return;
  }
  answer.once('close', close);
  // A connection that ends with its stream holds up no stop of the service.
  answer.writeHead(200, { ...headersOf(reply), connection: 'close' });
  answer.write(`retry: ${RETRY_MS}\n\n`);
  beat = setInterval(() => void heartbeat(), HEARTBEAT_MS);
  // Not when the page that is being read has come: the database may take its time.
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
